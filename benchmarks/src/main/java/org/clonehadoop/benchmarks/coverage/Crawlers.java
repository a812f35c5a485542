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

import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * The attempts of a job that crawl.
 *
 * @param names without what all attempts of a job have in common: {@code m_000000_0}; or {@code *},
 *     all of them
 */
record Crawlers(Set<String> names) {
    private static final String ALL = "*";

    static Crawlers of(Configuration conf) {
        return new Crawlers(Set.copyOf(conf.getTrimmedStringCollection(Crawl.ATTEMPTS)));
    }

    boolean isNone() {
        return names.isEmpty();
    }

    boolean has(TaskAttemptID attempt) {
        return names.contains(ALL) || names.contains(name(attempt));
    }

    private static String name(TaskAttemptID attempt) {
        return String.format(
                "%s_%06d_%d",
                attempt.getTaskType() == TaskType.REDUCE ? "r" : "m",
                attempt.getTaskID().getId(),
                attempt.getId());
    }
}
