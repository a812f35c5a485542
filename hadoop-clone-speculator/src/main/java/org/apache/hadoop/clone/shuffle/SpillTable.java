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

import java.net.URI;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.util.StringInterner;

/**
 * What a reduce knows of all maps' spills, and which of them it has. Only a map of which the
 * AppMaster has said how many spills there are, and of which all those are here, is complete.
 *
 * <p>Not thread-safe.
 */
final class SpillTable {
    private final MapState[] maps;
    private int incomplete;

    /**
     * @param maps how many the job has
     */
    SpillTable(int maps) {
        this.maps = new MapState[maps];
        for (int map = 0; map < maps; map++) {
            this.maps[map] = new MapState();
        }
        incomplete = maps;
    }

    /** One authority for each host: it is compared for each spill in each request. */
    private record Place(int servedAs, String authority) {
        Place(SpillUpdate update) {
            this(
                    update.attempt(),
                    StringInterner.weakIntern(URI.create(update.host()).getAuthority()));
        }
    }

    private static final class MapState {
        /** Of the spills that are still to be fetched. */
        final Map<Integer, Place> places = new HashMap<>();

        /** The spills that are here, those with nothing to be fetched among them. */
        final BitSet fetched = new BitSet();

        final BitSet empty = new BitSet();
        Integer spills;
        Integer succeeded;
        boolean complete;

        /** Nothing has been taken over from spills without records: they may be exchanged. */
        void forgetEmpty(int from) {
            for (int spill = empty.nextSetBit(from); spill >= 0; spill = empty.nextSetBit(spill)) {
                empty.clear(spill);
                fetched.clear(spill);
            }
        }

        void checkComplete() {
            complete = spills != null && fetched.cardinality() == spills;
        }
    }

    /**
     * @return false if it makes void what has been fetched already: the reduce must start again
     */
    boolean apply(SpillUpdate update) {
        MapState map = maps[update.map()];
        if (map.complete) {
            return true; // all of it is from one attempt, as good as any
        }
        switch (update.kind()) {
            case AT -> {
                if (!map.fetched.get(update.spill())) {
                    map.places.put(update.spill(), new Place(update));
                }
            }
            case EMPTY -> {
                map.empty.set(update.spill());
                map.fetched.set(update.spill());
                complete(map);
            }
            case DONE -> {
                map.spills = update.spill();
                map.succeeded = update.attempt();
                complete(map);
            }
            case LOST -> {
                map.places.clear();
                map.spills = null;
                map.succeeded = null;
            }
            case VOID -> {
                map.places.keySet().removeIf(spill -> spill >= update.spill());
                map.forgetEmpty(update.spill());
                return map.fetched.length() <= update.spill();
            }
        }
        return true;
    }

    private void complete(MapState map) {
        map.checkComplete();
        if (map.complete) {
            map.places.clear();
            incomplete--;
        }
    }

    /**
     * Whether a spill is still to be fetched from there.
     *
     * @param servedAs attempt number of its id
     * @param address {@code host:port}
     */
    boolean wants(int map, int spill, int servedAs, String address) {
        Place place = maps[map].places.get(spill);
        return place != null && place.servedAs == servedAs && place.authority.equals(address);
    }

    /** A wanted spill is here. */
    void fetched(int map, int spill) {
        MapState state = maps[map];
        state.fetched.set(spill);
        state.places.remove(spill);
        complete(state);
    }

    /** How many maps are not complete. */
    int incomplete() {
        return incomplete;
    }

    /** Number of the attempt by which the map has succeeded, if it has. */
    OptionalInt succeeded(int map) {
        Integer attempt = maps[map].succeeded;
        return attempt == null ? OptionalInt.empty() : OptionalInt.of(attempt);
    }
}
