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
package org.apache.hadoop.mapred;

import java.io.File;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapred.MapTask.MapOutputBuffer;

/**
 * How far a spill has been written that is neither combined nor compressed. Here because what a
 * buffer has in it is known in this package only.
 *
 * @param written bytes in its file, at least 0
 * @param least how many there will be at least: its records' keys and values. Their lengths, 2 to
 *     10 bytes for each record, come to that, and a few bytes for each partition
 */
@InterfaceAudience.Private
public record SpillProgress(long written, long least) {
    /**
     * By any thread, as long as the spill is being written.
     *
     * @param files of the buffer
     * @return empty if there is no file yet, or none any more
     */
    public static Optional<SpillProgress> of(MapOutputBuffer<?, ?> buffer, MapOutputFile files) {
        // As startSpill and flush leave them, until it ends.
        int bytes = buffer.bufend - buffer.bufstart;
        try {
            File file = new File(files.getSpillFile(buffer.numSpills).toUri().getPath());
            return Optional.of(
                    new SpillProgress(file.length(), bytes < 0 ? bytes + buffer.bufvoid : bytes));
        } catch (IOException e) {
            return Optional.empty(); // so it says that there is none
        }
    }
}
