package org.apache.hadoop.clone.shuffle;

import java.net.URI;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.hadoop.clone.protocol.SpillUpdate;

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

    private static final class MapState {
        /** By spill. */
        final Map<Integer, SpillUpdate> places = new HashMap<>();

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
            case AT -> map.places.put(update.spill(), update);
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
            incomplete--;
        }
    }

    /**
     * Whether a spill is still to be fetched from there.
     *
     * @param servedAs attempt number of its id. A clone and its original may serve spills under the
     *     same one, on different hosts
     * @param address {@code host:port}
     */
    boolean wants(int map, int spill, int servedAs, String address) {
        MapState state = maps[map];
        SpillUpdate place = state.places.get(spill);
        return !state.complete
                && place != null
                && place.attempt() == servedAs
                && address.equals(URI.create(place.host()).getAuthority())
                && !state.fetched.get(spill);
    }

    /** A wanted spill is here. */
    void fetched(int map, int spill) {
        MapState state = maps[map];
        state.fetched.set(spill);
        complete(state);
    }

    boolean isComplete(int map) {
        return maps[map].complete;
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
