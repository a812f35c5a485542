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
package org.apache.hadoop.clone.hdfs.read.datanode;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Blocks that are open for writing while nothing is written: a log, a job's history. Which of them
 * something has come for nobody tells; so they are idle while nothing has come for any.
 */
final class IdleWriters {
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final IntSupplier open;
    private final LongSupplier bytesWritten;
    private final LongSupplier clock;
    private long known = -1;
    private long silentSince;

    /**
     * @param open how many blocks are open for writing
     * @param bytesWritten ever
     */
    IdleWriters(IntSupplier open, LongSupplier bytesWritten, LongSupplier nanoClock) {
        this.open = open;
        this.bytesWritten = bytesWritten;
        this.clock = nanoClock;
    }

    /** How many there are. */
    int count() {
        long written = bytesWritten.getAsLong();
        long now = clock.getAsLong();
        if (written != known) {
            known = written;
            silentSince = now;
        }
        return now - silentSince >= SILENT_NANOS ? open.getAsInt() : 0;
    }
}
