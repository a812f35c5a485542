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
package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.io.LongWritable;

/**
 * Sorts as ever, but slowly until somebody makes the file {@link #HURRY} in the working directory.
 */
public class SlowOrder extends LongWritable.Comparator {
    static final String HURRY = "hurry";

    /** Is there as soon as anything is sorted. */
    static final String SORTS = "sorts";

    private static final int COMPARISONS_PER_PAUSE = 10;

    private int comparisons;

    @Override
    public int compare(byte[] b1, int s1, int l1, byte[] b2, int s2, int l2) {
        if (comparisons == 0) {
            sorts();
        }
        if (++comparisons % COMPARISONS_PER_PAUSE == 0 && !Files.exists(Path.of(HURRY))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis()));
        }
        return super.compare(b1, s1, l1, b2, s2, l2);
    }

    private static void sorts() {
        try {
            Files.write(Path.of(SORTS), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a pause of the present thread takes. */
    long pauseMillis() {
        return 1;
    }
}
