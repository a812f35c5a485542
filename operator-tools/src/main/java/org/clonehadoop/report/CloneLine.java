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

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What one clone did, in seconds since its job was submitted.
 *
 * @param thrownAwaySeconds the container time of the loser of the two from the clone's launch on
 */
public record CloneLine(
        String attempt,
        String host,
        String original,
        @JsonProperty("original_host") String originalHost,
        @JsonProperty("launched_s") double launchedSeconds,
        @JsonProperty("ended_s") double endedSeconds,
        boolean won,
        @JsonProperty("thrown_away_s") double thrownAwaySeconds) {
    private static final double MILLIS = 1000;

    /** A job's clones, in the order of its attempts. */
    public static List<CloneLine> of(Job job) {
        Map<String, Attempt> byId =
                job.attempts().stream().collect(Collectors.toMap(Attempt::id, Function.identity()));
        return job.attempts().stream()
                .filter(attempt -> byId.containsKey(String.valueOf(attempt.clonedFrom())))
                .map(clone -> of(job, clone, byId.get(clone.clonedFrom())))
                .toList();
    }

    private static CloneLine of(Job job, Attempt clone, Attempt original) {
        Attempt loser = clone.won() ? original : clone;
        return new CloneLine(
                clone.id(),
                clone.host(),
                original.id(),
                original.host(),
                (clone.startMillis() - job.submitMillis()) / MILLIS,
                (clone.finishMillis() - job.submitMillis()) / MILLIS,
                clone.won(),
                Math.max(0, loser.finishMillis() - clone.startMillis()) / MILLIS);
    }
}
