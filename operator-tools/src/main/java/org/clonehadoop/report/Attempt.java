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
package org.clonehadoop.report;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * One attempt of a task, as the JobHistory server remembers it.
 *
 * @param type {@code MAP} or {@code REDUCE}
 * @param startMillis since the epoch, as all times; a clone's is its container's launch
 * @param state {@code SUCCEEDED}, {@code KILLED} or {@code FAILED}
 * @param clonedFrom the id of the original, or null if the attempt began at zero
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Attempt(
        String id,
        String task,
        String type,
        String host,
        long startMillis,
        long finishMillis,
        String state,
        String clonedFrom) {

    boolean won() {
        return state.equals("SUCCEEDED");
    }

    boolean isMap() {
        return type.equals("MAP");
    }

    /** Whether it is another of the same task, and both ran for a while. */
    boolean ranBeside(Attempt other) {
        return task.equals(other.task)
                && !id.equals(other.id)
                && startMillis < other.finishMillis
                && other.startMillis < finishMillis;
    }

    /** {@code m_000003}. */
    String shortTask() {
        return task.replaceFirst("^task_\\d+_\\d+_", "");
    }

    /** Without what all attempts of a cluster have in common: {@code m_000003_0}. */
    String shortId() {
        return id.replaceFirst("^attempt_\\d+_\\d+_", "");
    }
}
