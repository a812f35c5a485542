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

import java.util.List;
import org.apache.hadoop.clone.stage.QueueStage;

/**
 * Where a job waits and reads.
 *
 * @param presences to all of which it belongs while it holds its volume
 */
record Place(QueueStage<StagedRead> stage, List<Presence> presences) {
    Place {
        presences = List.copyOf(presences);
    }

    /** {@link Presence#begin}. */
    void begin() {
        presences.forEach(Presence::begin);
    }

    /** {@link Presence#end}. */
    void end() {
        presences.forEach(Presence::end);
    }
}
