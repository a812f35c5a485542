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
package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;

/**
 * Files of a spill that isn't sorted before the one before it is written. Stock never sorts twice
 * at once within a map, so comparators and combiners may have state that all of it shares: {@link
 * org.apache.hadoop.io.WritableComparator#get} gives everybody the same instance. Here the writer
 * may be at one spill while a record that doesn't fit has stock sort part of the next.
 */
final class OrderedSpillFiles extends AttemptOutputFiles {
    private final Turn turn;

    /** When the spill before is written. */
    interface Turn {
        void await() throws IOException, InterruptedException;
    }

    OrderedSpillFiles(JobConf layout, Turn turn) {
        super(layout);
        this.turn = turn;
    }

    /** Stock asks for it before it sorts, and the mapper waits for what is sorted. */
    @Override
    public Path getSpillFileForWrite(int number, long size) throws IOException {
        try {
            turn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before spill file " + number);
        }
        return super.getSpillFileForWrite(number, size);
    }
}
