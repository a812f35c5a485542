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
package org.clonehadoop.shadow;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What second attempts would have gained for the tasks of one job. Tasks' times don't add up to a
 * job's: of stragglers that run at the same time the last one counts, so the largest gain is the
 * most that the job's end would have come earlier by any one of them.
 *
 * @param clones attempts that would have been cloned first
 * @param restarts attempts beside which another would have begun at zero
 * @param estimatedSeconds what all of them would have gained by the estimates of then; attempts
 *     that stood still, whose end nobody could tell, aside
 * @param standingStill so many are those
 * @param hindsightSeconds the same by when the attempts did end, where that is known: never less
 *     than 0 for one
 * @param largestSeconds the largest of these
 * @param known of how many it is
 */
record ShadowGain(
        String job,
        int clones,
        int restarts,
        @JsonProperty("estimated_s") double estimatedSeconds,
        @JsonProperty("standing_still") int standingStill,
        @JsonProperty("hindsight_s") double hindsightSeconds,
        @JsonProperty("largest_s") double largestSeconds,
        int known) {
    private static final double MILLIS = 1000;

    /** Of each job in the log, in the order of their ids. */
    static List<ShadowGain> of(ShadowLog log) {
        Map<String, List<Map.Entry<String, ShadowLog.Wish>>> byJob = new TreeMap<>();
        log.wishes()
                .entrySet()
                .forEach(
                        wish ->
                                byJob.computeIfAbsent(job(wish.getKey()), any -> new ArrayList<>())
                                        .add(wish));
        return byJob.entrySet().stream().map(job -> of(job.getKey(), job.getValue(), log)).toList();
    }

    private static String job(String attempt) {
        return attempt.replaceFirst("^attempt_(\\d+_\\d+)_.*", "job_$1");
    }

    private static ShadowGain of(
            String job, List<Map.Entry<String, ShadowLog.Wish>> wishes, ShadowLog log) {
        int clones = 0;
        int still = 0;
        int known = 0;
        double estimated = 0;
        double hindsight = 0;
        double largest = 0;
        for (Map.Entry<String, ShadowLog.Wish> one : wishes) {
            ShadowLog.Wish wish = one.getValue();
            clones += wish.outcome().equals("CLONE") ? 1 : 0;
            if (Double.isFinite(wish.aloneSeconds())) {
                estimated += wish.aloneSeconds() - wish.insteadSeconds();
            } else {
                still++;
            }
            Long end = log.succeededMillis(one.getKey()).orElse(null);
            if (end != null) {
                double gain = Math.max(0, (end - wish.atMillis()) / MILLIS - wish.insteadSeconds());
                hindsight += gain;
                largest = Math.max(largest, gain);
                known++;
            }
        }
        return new ShadowGain(
                job, clones, wishes.size() - clones, estimated, still, hindsight, largest, known);
    }
}
