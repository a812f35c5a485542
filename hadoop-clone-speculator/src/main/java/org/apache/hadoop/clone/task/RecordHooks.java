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

import java.lang.instrument.UnmodifiableClassException;
import java.util.Map;

/** The hooks where a task gets its next record, which are there only while a clone is prepared. */
final class RecordHooks {
    private final Map<String, String> records;
    private boolean there;

    /**
     * @param records methods by their classes, as {@link HookWriter} has them
     */
    RecordHooks(Map<String, String> records) {
        this.records = records;
    }

    /**
     * Harmless if they are there.
     *
     * @throws IllegalStateException if this JVM can't be given an agent
     */
    void add() throws UnmodifiableClassException {
        if (there) {
            return;
        }
        CloneAgent.instrumentation();
        there = true;
        HookWriter.withBoundaries(records);
        CloneAgent.retransform(records.keySet());
    }

    /** Harmless if they aren't there. */
    void remove() throws UnmodifiableClassException {
        if (there) {
            there = false;
            HookWriter.withBoundaries(Map.of());
            CloneAgent.retransform(records.keySet());
        }
    }
}
