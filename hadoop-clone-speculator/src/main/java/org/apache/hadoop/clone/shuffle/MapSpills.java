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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    /** As many spills as most maps have. */
    private static final int FEW = 4;

    private final int map;
    private final SpillStory story;
    private final List<Spill> way = new ArrayList<>(FEW);

    // A large job has a hundred thousand maps, most of which have nothing in these, or one entry:
    // they are replaced, not changed.
    private List<Spill> aside = List.of();
    private Map<Integer, End> ends = Map.of();
    private Set<Integer> dead = Set.of();

    /** Where the last spill was put, which the next is mostly, too. */
    private List<Place> place = List.of();

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

    /** The map is said to have so many spills. */
    private record Done(int map, int spills, int attempt, int runMillis)
            implements SpillStory.Entry {
        @Override
        public SpillUpdate tell(int partition) {
            return SpillUpdate.done(map, spills, attempt, runMillis);
        }
    }

    /** A spill is said to be there. */
    private record At(Spill spill, Place place) implements SpillStory.Entry {
        @Override
        public SpillUpdate tell(int partition) {
            return spill.tell(partition, place);
        }

        @Override
        public boolean isPlaceOf(int map, int fromSpill) {
            return spill.isPlaceOf(map, fromSpill);
        }
    }

    /** In the story it is said to be where it was told to be first: most are nowhere else. */
    private static final class Spill implements SpillStory.Entry {
        final int map;
        final int index;
        final long previousChain;
        final long chain;
        final EmptyPartitions empty;
        List<Place> places = List.of();
        Place first;
        Place current;

        Spill(int map, SpillNotice notice, EmptyPartitions empty) {
            this.map = map;
            index = notice.index();
            previousChain = notice.previousChain();
            chain = notice.chain();
            this.empty = empty;
        }

        @Override
        public SpillUpdate tell(int partition) {
            return tell(partition, first);
        }

        SpillUpdate tell(int partition, Place place) {
            return empty.contains(partition)
                    ? SpillUpdate.empty(map, index)
                    : SpillUpdate.at(map, index, place.servedAs(), place.host());
        }

        @Override
        public boolean isPlaceOf(int map, int fromSpill) {
            return this.map == map && index >= fromSpill;
        }

        SpillNotice notice(int servedAs) {
            return new SpillNotice(index, previousChain, chain, servedAs, empty.toBitSet());
        }

        Optional<Place> of(int attempt) {
            return places.stream().filter(place -> place.attempt == attempt).findFirst();
        }
    }

    private Stream<Spill> spills() {
        return Stream.concat(way.stream(), aside.stream());
    }

    /** Most are found where they belong. */
    private Optional<Spill> find(int index, long chain) {
        return index >= 0 && index < way.size() && way.get(index).chain == chain
                ? Optional.of(way.get(index))
                : spills().filter(spill -> spill.chain == chain).findFirst();
    }

    private static <T> List<T> with(List<T> some, List<T> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static <T> List<T> without(List<T> all, List<T> some) {
        return all.stream().filter(one -> !some.contains(one)).toList();
    }

    /**
     * @param attempt number of the attempt that has finished it
     * @return false if another attempt has put out something else in its place
     * @throws IOException if the notice can't be true
     */
    boolean finished(int attempt, SpillNotice notice, String host) throws IOException {
        Spill spill = find(notice.index(), notice.chain()).orElseGet(() -> addAside(notice));
        if (spill.index != notice.index() || spill.previousChain != notice.previousChain()) {
            throw new IOException(
                    notice + " of map " + map + " contradicts another of spill " + spill.index);
        }
        if (spill.of(attempt).isEmpty()) {
            add(spill, new Place(attempt, notice.servedAs(), host));
        }
        if (isOnWay(spill)) {
            if (spill.current == null || !isAlive(spill.current)) {
                spill.of(attempt).ifPresent(place -> fetchFrom(spill, place));
            }
            return true;
        }
        if (succeeded == null && continuesWay(notice)) {
            aside = without(aside, List.of(spill));
            way.add(spill);
            spill.of(attempt).ifPresent(place -> fetchFrom(spill, place));
            return true;
        }
        return false;
    }

    private Spill addAside(SpillNotice notice) {
        Spill spill = new Spill(map, notice, story.keep(notice.emptyPartitions()));
        aside = with(aside, List.of(spill));
        return spill;
    }

    private void add(Spill spill, Place another) {
        if (!place.contains(another)) {
            place = List.of(another);
        }
        spill.places = spill.places.isEmpty() ? place : with(spill.places, place);
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
        if (spill.first == null) {
            spill.first = place;
            story.add(spill);
        } else {
            story.add(new At(spill, place));
        }
    }

    /** The attempt has told of all its spills. */
    void ended(int attempt, int count, long chain) {
        Map<Integer, End> more = new HashMap<>(ends);
        more.put(attempt, new End(count, chain));
        ends = Map.copyOf(more);
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
        story.add(new Done(map, way.size(), attempt, runMillis));
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
            Spill spill = find(index, chain).orElse(null);
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
        List<Spill> rest = output.subList(same, output.size());
        aside = without(aside, rest);
        if (same < way.size()) {
            List<Spill> left = way.subList(same, way.size());
            aside = with(aside, without(left, rest));
            left.clear();
            story.addVoid(map, same);
        }
        for (Spill spill : rest) {
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
        dead =
                Stream.concat(dead.stream(), Stream.of(attempt))
                        .collect(Collectors.toUnmodifiableSet());
        if (succeeded != null && succeeded == attempt) {
            succeeded = null;
            spills().forEach(
                            spill -> {
                                spill.places = List.of();
                                spill.current = null;
                            });
            SpillUpdate lost = SpillUpdate.lost(map);
            story.add(partition -> lost);
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
        spills().forEach(
                        spill ->
                                spill.of(attempt)
                                        .ifPresent(
                                                gone ->
                                                        spill.places =
                                                                without(
                                                                        spill.places,
                                                                        List.of(gone))));
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
