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
import org.apache.hadoop.clone.protocol.SpillNotice;

/** Who is told of a map's spills. */
interface SpillSink {
    /** The mapper's thread is about to hand a full spill over; all before it are published. */
    default void full() {}

    /** The mapper's thread waits for a spill that is being sorted or written. */
    default void waits() {}

    /** The spill's files are complete, and will never change. */
    void finished(SpillNotice notice) throws IOException;

    /** There are no more. */
    void ended(int spills, long chain) throws IOException;
}
