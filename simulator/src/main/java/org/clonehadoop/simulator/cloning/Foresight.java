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
package org.clonehadoop.simulator.cloning;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.platform.SimHost;

/**
 * What a second attempt would truly gain: how slow each attempt is and the next one will be, what a
 * clone costs between two hosts, and which host is the best. It takes hosts, and what runs on them,
 * to stay as they are; where neither changes that is the truth.
 */
public final class Foresight {
    private final CloneLead.Site site;
    private final Map<TaskId, SimHost> promised = new HashMap<>();

    /** What a second attempt gains on the host that is the best for it. */
    public record Choice(TaskAttemptId original, SimHost host, CloneScore score) {
        /** The same if the original can't be cloned. */
        public Choice withoutClone() {
            return new Choice(original, host, score.withoutClone());
        }
    }

    public Foresight(CloneLead.Site site) {
        this.site = site;
    }

    /**
     * On a host that isn't promised to another.
     *
     * @return empty if no host could gain anything
     */
    public Optional<Choice> best(TaskAttemptId original) {
        double remaining = site.remainingMillis(original);
        if (!(remaining > site.leastRestMillis(original))) {
            return Optional.empty();
        }
        return site.hostsForMore().stream()
                .filter(host -> !promised.containsValue(host))
                .map(host -> new Choice(original, host, score(original, remaining, host)))
                .max(Comparator.comparingDouble(choice -> choice.score().gainMillis()));
    }

    /** The host is for this task's second attempt, as long as that doesn't work yet. */
    public void promise(Choice choice) {
        promised.put(choice.original().getTaskId(), choice.host());
    }

    Optional<SimHost> promisedTo(TaskId task) {
        return Optional.ofNullable(promised.get(task));
    }

    void keepPromise(TaskId task) {
        promised.remove(task);
    }

    /**
     * Of an original whose clone's container was launched so long ago, on the clone's host.
     *
     * @return empty if it has ended
     */
    public Optional<CloneScore> rescore(TaskAttemptId original, long sinceLaunchMillis) {
        return Optional.of(original)
                .filter(site::isUnderWay)
                .map(running -> score(running, site.hostOf(site.secondOf(running))))
                .map(
                        score ->
                                new CloneScore(
                                        score.remainingMillis(),
                                        Math.max(0, score.cloneMillis() - sinceLaunchMillis),
                                        score.restMillis(),
                                        score.newEndMillis()));
    }

    /** On this host, where its container is about to be launched. */
    CloneScore score(TaskAttemptId original, SimHost host) {
        return score(original, site.remainingMillis(original), host);
    }

    private CloneScore score(TaskAttemptId original, double remaining, SimHost host) {
        CloneScore score =
                new CloneScore(
                        remaining,
                        new Passage(site, original, host).millis(),
                        site.restMillis(original, host),
                        site.fromZeroMillis(original, host));
        return site.comesToRest(original) ? score : score.withoutClone();
    }
}
