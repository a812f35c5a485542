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
package org.clonehadoop.benchmarks.feed;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Map;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.Outcome;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;

/**
 * One line of a feed. {@code t} is the AppMaster's clock, in milliseconds; tasks and attempts go by
 * their {@linkplain Names short names}. Of a state only what has changed is told; the rest is null.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(value = FeedLine.Begin.class, name = "begin"),
    @JsonSubTypes.Type(value = FeedLine.JobIs.class, name = "job"),
    @JsonSubTypes.Type(value = FeedLine.TaskIs.class, name = "task"),
    @JsonSubTypes.Type(value = FeedLine.AttemptIs.class, name = "attempt"),
    @JsonSubTypes.Type(value = FeedLine.CloningIs.class, name = "cloning"),
    @JsonSubTypes.Type(value = FeedLine.CostsAre.class, name = "costs"),
    @JsonSubTypes.Type(value = FeedLine.Created.class, name = "created"),
    @JsonSubTypes.Type(value = FeedLine.Needs.class, name = "needs"),
    @JsonSubTypes.Type(value = FeedLine.Started.class, name = "started"),
    @JsonSubTypes.Type(value = FeedLine.Reported.class, name = "reported"),
    @JsonSubTypes.Type(value = FeedLine.Look.class, name = "look"),
    @JsonSubTypes.Type(value = FeedLine.Ordered.class, name = "ordered")
})
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface FeedLine {
    /** Of this format. A reader refuses others. */
    int VERSION = 1;

    long t();

    // --- what the job is ---

    /**
     * The first line.
     *
     * @param conf the keys that a speculator reads
     */
    record Begin(long t, int version, Map<String, String> conf) implements FeedLine {}

    /** Its tasks are numbered from 0. */
    record JobIs(
            long t,
            String job,
            Integer maps,
            Integer reduces,
            Integer completedMaps,
            Integer completedReduces)
            implements FeedLine {}

    record TaskIs(long t, String task, TaskState state) implements FeedLine {}

    /** An attempt that wasn't there before begins to be. */
    record AttemptIs(
            long t,
            String attempt,
            TaskAttemptState state,
            Float progress,
            Phase phase,
            String host,
            Long launched,
            Long finished,
            Map<FeedCounter, Long> counters)
            implements FeedLine {}

    // --- what the AppMaster answers about clones ---

    /**
     * @param obstacle empty if it can be cloned
     * @param underWay whether its clone is ordered, and no attempt yet
     * @param fileBytes f_clone, as the AppMaster knows it
     * @param original of what it is a clone; empty if it isn't one any more
     * @param leastMillis what its clone takes at the least, by another's answer
     */
    record CloningIs(
            long t,
            String attempt,
            String obstacle,
            Boolean underWay,
            Long fileBytes,
            String original,
            Double leastMillis)
            implements FeedLine {}

    record CostsAre(long t, double beta, double vmMillis, double bytesPerMilli)
            implements FeedLine {
        CloneCosts costs() {
            return new CloneCosts(beta, vmMillis, bytesPerMilli);
        }
    }

    // --- the speculator's events, and its looks ---

    record Created(long t, long at) implements FeedLine {}

    record Needs(long t, String task, int change) implements FeedLine {}

    record Started(long t, String attempt, long at) implements FeedLine {}

    /**
     * @param state as the report has it, which may be older than the attempt's
     */
    record Reported(
            long t, String attempt, long at, float progress, Phase phase, TaskAttemptState state)
            implements FeedLine {}

    record Look(long t) implements FeedLine {}

    // --- what it orders ---

    /**
     * After the look in which it was ordered.
     *
     * @param attempt of which a clone is ordered; null if kind is NEW
     */
    record Ordered(long t, Outcome kind, String task, String attempt) implements FeedLine {
        static Ordered again(long t, String task) {
            return new Ordered(t, Outcome.NEW, task, null);
        }

        static Ordered clone(long t, String attempt) {
            return new Ordered(
                    t, Outcome.CLONE, attempt.substring(0, attempt.lastIndexOf('_')), attempt);
        }
    }
}
