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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillUpdate;

/**
 * The spills of one map, as its attempts have told them. Chains make them a tree: attempts that
 * have put out the same walk the same way, and part for good where they differ. Reduces fetch along
 * one way only, so what they have is always the beginning of what a single attempt has put out,
 * wherever the spills come from. An attempt that succeeds on another way than that makes its own
 * the one.
 *
 * <p>Not thread-safe.
 */
final class MapSpills {
    private final int map;
    private final SpillStory story;
    private final Map<Long, Spill> spills = new HashMap<>();
    private final List<Spill> way = new ArrayList<>();
    private final Map<Integer, End> ends = new HashMap<>();
    private final Set<Integer> dead = new HashSet<>();
    private Integer succeeded;

    /**
     * @param story is given what reduces must know
     */
    MapSpills(int map, SpillStory story) {
        this.map = map;
        this.story = story;
    }

    private record Place(int attempt, int servedAs, String host) {}

    private record End(int count, long chain) {}

    private static final class Spill {
        final int index;
        final long previousChain;
        final long chain;
        final BitSet empty;
        final List<Place> places = new ArrayList<>(1); // mostly there is no other
        Place current;

        Spill(SpillNotice notice) {
            index = notice.index();
            previousChain = notice.previousChain();
            chain = notice.chain();
            empty = notice.emptyPartitions();
        }

        SpillNotice notice(int servedAs) {
            return new SpillNotice(index, previousChain, chain, servedAs, empty);
        }

        Optional<Place> of(int attempt) {
            return places.stream().filter(place -> place.attempt == attempt).findFirst();
        }
    }

    /**
     * @param attempt number of the attempt that has finished it
     * @return false if another attempt has put out something else in its place
     * @throws IOException if the notice can't be true
     */
    boolean finished(int attempt, SpillNotice notice, String host) throws IOException {
        Spill spill = spills.computeIfAbsent(notice.chain(), chain -> new Spill(notice));
        if (spill.index != notice.index() || spill.previousChain != notice.previousChain()) {
            throw new IOException(
                    notice + " of map " + map + " contradicts another of spill " + spill.index);
        }
        if (spill.of(attempt).isEmpty()) {
            spill.places.add(new Place(attempt, notice.servedAs(), host));
        }
        if (isOnWay(spill)) {
            if (spill.current == null || !isAlive(spill.current)) {
                spill.of(attempt).ifPresent(place -> fetchFrom(spill, place));
            }
            return true;
        }
        if (succeeded == null && continuesWay(notice)) {
            way.add(spill);
            spill.of(attempt).ifPresent(place -> fetchFrom(spill, place));
            return true;
        }
        return false;
    }

    private boolean isOnWay(Spill spill) {
        int index = spill.index;
        return index < way.size() && way.get(index) == spill;
    }

    private boolean continuesWay(SpillNotice notice) {
        long last = way.isEmpty() ? SpillNotice.NO_CHAIN : way.get(way.size() - 1).chain;
        return notice.index() == way.size() && notice.previousChain() == last;
    }

    private void fetchFrom(Spill spill, Place place) {
        spill.current = place;
        story.add(SpillUpdate.at(map, spill.index, place.servedAs(), place.host()), spill.empty);
    }

    /** The attempt has told of all its spills. */
    void ended(int attempt, int count, long chain) {
        ends.put(attempt, new End(count, chain));
    }

    /**
     * The map has succeeded by this attempt.
     *
     * @return false if it isn't known where its output is: the map must run again
     */
    boolean succeeded(int attempt, int runMillis) {
        Optional<List<Spill>> output = output(attempt);
        if (output.isEmpty()) {
            return false;
        }
        follow(output.get());
        prefer(attempt);
        succeeded = attempt;
        story.add(SpillUpdate.done(map, way.size(), attempt, runMillis));
        return true;
    }

    /** Everything that the attempt has put out, its original's share included if it is a clone. */
    private Optional<List<Spill>> output(int attempt) {
        End end = ends.get(attempt);
        if (end == null) {
            return Optional.empty();
        }
        List<Spill> output = new ArrayList<>();
        long chain = end.chain();
        for (int index = end.count() - 1; index >= 0; index--) {
            Spill spill = spills.get(chain);
            if (spill == null || spill.index != index || spill.places.isEmpty()) {
                return Optional.empty();
            }
            output.add(spill);
            chain = spill.previousChain;
        }
        Collections.reverse(output);
        return chain == SpillNotice.NO_CHAIN ? Optional.of(output) : Optional.empty();
    }

    /**
     * All that is published of the map's output, wherever it is.
     *
     * @return empty if the map hasn't succeeded by this attempt, or its output is lost
     */
    Optional<List<PublishedSpill>> published(int attempt) {
        if (succeeded == null || succeeded != attempt) {
            return Optional.empty();
        }
        List<PublishedSpill> published = new ArrayList<>();
        for (Spill spill : way) {
            for (Place place : spill.places) {
                SpillNotice notice = spill.notice(place.servedAs);
                published.add(new PublishedSpill(place.attempt, notice, place.host));
            }
        }
        return Optional.of(published);
    }

    private void follow(List<Spill> output) {
        int same = 0;
        while (same < way.size() && same < output.size() && way.get(same) == output.get(same)) {
            same++;
        }
        if (same < way.size()) {
            way.subList(same, way.size()).clear();
            story.addVoid(map, same);
        }
        for (Spill spill : output.subList(same, output.size())) {
            way.add(spill);
            fetchFrom(spill, living(spill).orElse(spill.places.get(0)));
        }
    }

    /**
     * The job tells of no other attempt's end from now on, and those that still run are killed: one
     * on a host that has died would be the place of its spills for good.
     */
    private void prefer(int attempt) {
        for (Spill spill : way) {
            spill.of(attempt)
                    .filter(place -> place != spill.current)
                    .ifPresent(place -> fetchFrom(spill, place));
        }
    }

    private boolean isAlive(Place place) {
        return !dead.contains(place.attempt);
    }

    private Optional<Place> living(Spill spill) {
        return spill.places.stream().filter(this::isAlive).findFirst();
    }

    /**
     * The attempt has failed or was killed while the map hadn't succeeded, or it is the one that
     * had and its output is lost. What it has published can often be fetched all the same, so that
     * stays until another attempt has published it too. But when the output of a map that had
     * succeeded is lost nobody knows which part of it: all is made again.
     */
    void failed(int attempt) {
        dead.add(attempt);
        if (succeeded != null && succeeded == attempt) {
            succeeded = null;
            for (Spill spill : spills.values()) {
                spill.places.clear();
                spill.current = null;
            }
            story.add(SpillUpdate.lost(map));
            return;
        }
        for (Spill spill : way) {
            if (spill.current != null && spill.current.attempt == attempt) {
                living(spill).ifPresent(other -> fetchFrom(spill, other));
            }
        }
    }

    /**
     * Everything that the attempt has published is gone.
     *
     * @return the attempt by which the map has succeeded, if part of its output is nowhere now
     */
    OptionalInt lost(int attempt) {
        spills.values().forEach(spill -> spill.of(attempt).ifPresent(spill.places::remove));
        boolean incomplete = false;
        for (Spill spill : way) {
            if (spill.places.isEmpty()) {
                spill.current = null;
                incomplete = true;
            } else if (!spill.places.contains(spill.current)) {
                fetchFrom(spill, living(spill).orElse(spill.places.get(0)));
            }
        }
        return incomplete && succeeded != null ? OptionalInt.of(succeeded) : OptionalInt.empty();
    }
}
