/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.clonehadoop.benchmarks.coverage;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * A kind of job.
 *
 * @param name of a few letters, digits and underscores
 * @param foreign what its tasks hold that can't be cloned, so that they must be refused; empty if
 *     nothing
 * @param lost what its maps' clones find missing as they run, so that they must end; empty if
 *     nothing
 * @param order what of its output is the same in each of its runs
 */
record Kind(String name, Optional<String> foreign, Optional<String> lost, Order order, Body body) {
    /** How outputs are compared. */
    enum Order {
        /** Byte by byte; of sequence files, whose headers are random, record by record. */
        EXACT,
        /** Records of the same key come in any order: line by line, or record by record, sorted. */
        OF_KEYS,
        /** Random: only how many records there are. */
        NONE
    }

    /** Runs it, in one job or several. */
    interface Body {
        /**
         * @throws Exception if a job fails, or can't be run
         */
        void run(Configuration conf, Path out) throws Exception;
    }

    static Kind of(String name, Body body) {
        return new Kind(name, Optional.empty(), Optional.empty(), Order.EXACT, body);
    }

    Kind holding(String something) {
        return new Kind(name, Optional.of(something), lost, order, body);
    }

    Kind lacking(String something) {
        return new Kind(name, foreign, Optional.of(something), order, body);
    }

    Kind ordered(Order another) {
        return new Kind(name, foreign, lost, another, body);
    }
}
