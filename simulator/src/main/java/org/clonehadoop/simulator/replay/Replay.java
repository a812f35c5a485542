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
package org.clonehadoop.simulator.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.clone.score.Outcome;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.clone.speculate.SecondAttemptKill;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.clonehadoop.benchmarks.feed.FeedLine;
import org.clonehadoop.benchmarks.feed.FeedPlayer;
import org.clonehadoop.benchmarks.feed.MirrorCloner;
import org.clonehadoop.benchmarks.feed.MirrorContext;
import org.clonehadoop.benchmarks.feed.Names;
import org.clonehadoop.benchmarks.feed.PinnedClock;
import org.clonehadoop.simulator.speculators.Kind;

/** Plays a feed to a speculator, and notes what it orders. */
public final class Replay {
    private final PinnedClock clock = new PinnedClock();
    private final List<Action> replayed = new ArrayList<>();
    private final long begin;

    private Replay(long begin) {
        this.begin = begin;
    }

    /**
     * @param feed as {@link org.clonehadoop.benchmarks.feed.FeedReader} reads it
     * @param changes to the configuration that the job had
     */
    public static Replayed of(List<FeedLine> feed, Kind kind, Map<String, String> changes) {
        FeedLine.Begin begin = (FeedLine.Begin) feed.get(0);
        Configuration conf = new Configuration(false);
        begin.conf().forEach(conf::set);
        changes.forEach(conf::set);
        Replay replay = new Replay(begin.t());
        replay.play(feed, kind, conf);
        return new Replayed(recorded(feed, begin.t()), List.copyOf(replay.replayed));
    }

    private static List<Action> recorded(List<FeedLine> feed, long begin) {
        return feed.stream()
                .filter(FeedLine.Ordered.class::isInstance)
                .map(FeedLine.Ordered.class::cast)
                .map(
                        order ->
                                new Action(
                                        order.t() - begin,
                                        order.kind(),
                                        order.kind() == Outcome.CLONE
                                                ? order.attempt()
                                                : order.task()))
                .toList();
    }

    private void play(List<FeedLine> feed, Kind kind, Configuration conf) {
        MirrorContext context =
                new MirrorContext(
                        clock,
                        event -> {
                            if (event instanceof TaskEvent order
                                    && order.getType() == TaskEventType.T_ADD_SPEC_ATTEMPT) {
                                note(Outcome.NEW, Names.of(order.getTaskID()));
                            } else if (event instanceof SecondAttemptKill kill) {
                                note(Outcome.NEW, Names.of(kill.getTaskAttemptID().getTaskId()));
                            }
                        });
        MirrorCloner cloner =
                new MirrorCloner(
                        CloneSpeculator.configuredCosts(conf),
                        (original, inPlaceOf, score) -> note(Outcome.CLONE, Names.of(original)));
        FeedPlayer player = new FeedPlayer(context, cloner, kind.make(conf, context, cloner));
        for (FeedLine line : feed) {
            clock.pin(line.t());
            player.play(line);
        }
    }

    private void note(Outcome kind, String target) {
        replayed.add(new Action(clock.getTime() - begin, kind, target));
    }
}
