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
package org.apache.hadoop.clone.hdfs.read.wire;

import java.util.Optional;

/**
 * What a stage says of a job, in one byte. A connection that ends without one wasn't wanted by
 * whatever is at its other end.
 */
public enum StageAnswer {
    /** The job's turn has come: what follows is Hadoop's data transfer protocol. */
    STARTED('S'),
    /** The queue is full, or the job has waited for too long. The connection ends. */
    TURNED_AWAY('F');

    private final byte code;

    StageAnswer(char code) {
        this.code = (byte) code;
    }

    /** As it is sent. */
    public byte code() {
        return code;
    }

    /**
     * @param code as received
     * @return empty if no stage says that
     */
    public static Optional<StageAnswer> of(int code) {
        for (StageAnswer answer : values()) {
            if (answer.code == code) {
                return Optional.of(answer);
            }
        }
        return Optional.empty();
    }
}
