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
package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The spills of a job's maps, and the story of them that reduces are told. Thread-safe. */
@InterfaceAudience.Private
public final class SpillRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(SpillRegistry.class);

    private final SpillStory story = new SpillStory();
    private final Map<Integer, MapSpills> maps = new HashMap<>();

    /** Attempts that have put out something else than others before them. */
    private final Set<TaskAttemptID> astray = new HashSet<>();

    private MapSpills spills(TaskAttemptID attempt) {
        return maps.computeIfAbsent(attempt.getTaskID().getId(), map -> new MapSpills(map, story));
    }

    /**
     * @param host {@code http://host:port} of the ShuffleHandler beside the attempt
     * @throws IOException if the notice can't be true
     */
    public synchronized void finished(TaskAttemptID attempt, SpillNotice notice, String host)
            throws IOException {
        if (!spills(attempt).finished(attempt.getId(), notice, host) && astray.add(attempt)) {
            LOG.warn(
                    "{} of {} isn't what another attempt has put out there: the mapper isn't"
                            + " deterministic, or the hosts compress with different libraries."
                            + " Reduces will have all of this map from one attempt; some may have"
                            + " to start again",
                    notice,
                    attempt);
        }
    }

    /** The attempt has published all its spills. */
    public synchronized void ended(TaskAttemptID attempt, int spills, long chain) {
        spills(attempt).ended(attempt.getId(), spills, chain);
    }

    /**
     * The attempt's map has succeeded by it.
     *
     * @return false if it isn't known where its output is: the map must run again
     */
    public synchronized boolean succeeded(TaskAttemptID attempt, int runMillis) {
        return spills(attempt).succeeded(attempt.getId(), runMillis);
    }

    /**
     * The attempt has failed or was killed while its map hadn't succeeded, or it is the one that
     * had and its output is lost.
     */
    public synchronized void failed(TaskAttemptID attempt) {
        spills(attempt).failed(attempt.getId());
    }

    /**
     * Everything that the attempt has published is gone.
     *
     * @return the attempt by which its map has succeeded, if part of its output is nowhere now: the
     *     map must run again
     */
    public synchronized Optional<TaskAttemptID> lost(TaskAttemptID attempt) {
        OptionalInt succeeded = spills(attempt).lost(attempt.getId());
        return succeeded.isPresent()
                ? Optional.of(new TaskAttemptID(attempt.getTaskID(), succeeded.getAsInt()))
                : Optional.empty();
    }

    /**
     * All that is published of a map's output, in the order of its spills.
     *
     * @return empty if the map hasn't succeeded by the attempt, or its output is lost
     */
    public synchronized Optional<List<PublishedSpill>> published(TaskAttemptID attempt) {
        return spills(attempt).published(attempt.getId());
    }

    /**
     * As if the attempts of another AppMaster's time had told it now. Comes just before the map
     * {@linkplain #succeeded has succeeded}.
     *
     * @param published what {@link #published} gave that AppMaster
     * @throws IOException if it can't be true
     */
    public synchronized void restore(TaskAttemptID attempt, List<PublishedSpill> published)
            throws IOException {
        int spills = 0;
        long chain = SpillNotice.NO_CHAIN;
        for (PublishedSpill spill : published) {
            finished(
                    new TaskAttemptID(attempt.getTaskID(), spill.attempt()),
                    spill.notice(),
                    spill.host());
            spills = spill.notice().index() + 1;
            chain = spill.notice().chain();
        }
        ended(attempt, spills, chain);
    }

    /** How many updates there are. */
    public synchronized int size() {
        return story.size();
    }

    /**
     * @param partition of the reduce that asks
     * @param from how many it knows already
     */
    public synchronized List<SpillUpdate> updates(int partition, int from, int most) {
        return story.tell(partition, from, most);
    }
}
