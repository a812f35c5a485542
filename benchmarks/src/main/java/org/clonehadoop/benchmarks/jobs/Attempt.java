package org.clonehadoop.benchmarks.jobs;

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

    /** Without what all attempts of a cluster have in common: {@code m_000003_0}. */
    String shortId() {
        return id.replaceFirst("^attempt_\\d+_\\d+_", "");
    }
}
