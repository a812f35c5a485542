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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * A job in small: attempts of one map that publish, fail, are cloned and lose their disks, and
 * reduces that fetch, in a random order of steps. The registry and the tables are the real ones.
 */
final class SpillWorld {
    private static final int MAP = 0;
    private static final String NOTHING = "";

    /**
     * A factor of 64 bits: with Java's 31 it happens that different outputs have the same chain.
     */
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private final Random random;
    private final boolean deterministic;
    private final SpillRegistry registry = new SpillRegistry();
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<Reduce> reduces = new ArrayList<>();
    private final Map<String, String> disks = new HashMap<>();
    private Attempt successful;
    private int firstSinceLoss;
    int changesOfWay;

    SpillWorld(long seed, boolean deterministic, int reduces) {
        random = new Random(seed);
        this.deterministic = deterministic;
        attempts.add(new Attempt(0, newOutput(List.of())));
        for (int i = 0; i < reduces; i++) {
            this.reduces.add(new Reduce(i));
        }
    }

    /** Some spills have nothing for some reduces. */
    private long[] bytes(String spill) {
        return IntStream.range(0, reduces.size())
                .mapToLong(partition -> isEmpty(spill, partition) ? 0 : 1)
                .toArray();
    }

    private static boolean isEmpty(String spill, int partition) {
        return spill.hashCode() % 5 == partition;
    }

    /** What a mapper puts out after that beginning. */
    private List<String> newOutput(List<String> beginning) {
        int count = deterministic ? 5 : 3 + random.nextInt(4);
        List<String> output = new ArrayList<>(beginning);
        for (int spill = beginning.size(); spill < count; spill++) {
            boolean differs = !deterministic && random.nextInt(4) == 0;
            output.add("spill " + spill + (differs ? " " + random.nextInt(100) : ""));
        }
        return output;
    }

    final class Attempt {
        final int number;
        final List<String> output;
        int published;

        /** A clone serves the spill that its original was in the midst of as the original's. */
        int begunByOriginal = -1;

        int original;
        boolean running = true;
        boolean hasEnded;

        Attempt(int number, List<String> output) {
            this.number = number;
            this.output = output;
        }

        TaskAttemptID id() {
            return new TaskAttemptID("1700000000000", 1, TaskType.MAP, MAP, number);
        }

        String host() {
            return "http://host" + number + ":13562";
        }

        long chain(int count) {
            long chain = SpillNotice.NO_CHAIN;
            for (String spill : output.subList(0, count)) {
                chain = GOLDEN_RATIO * (chain + spill.hashCode());
            }
            return chain;
        }

        void work() throws IOException {
            if (published < output.size()) {
                disks.put(host() + published, output.get(published));
                registry.finished(
                        id(),
                        new SpillNotice(
                                published,
                                chain(published),
                                chain(published + 1),
                                servedAs(),
                                bytes(output.get(published))),
                        host());
                published++;
            } else if (!hasEnded) {
                registry.ended(id(), output.size(), chain(output.size()));
                hasEnded = true;
            } else {
                succeed();
            }
        }

        private int servedAs() {
            return published == begunByOriginal ? original : number;
        }

        private void succeed() {
            running = false;
            int told = registry.size();
            if (registry.succeeded(id(), 1)) {
                changesOfWay += voided(told);
                successful = this;
                attempts.forEach(other -> other.running = false);
            } else if (IntStream.range(0, output.size()).allMatch(this::isSomewhere)) {
                throw new AssertionError("the registry doesn't know the output of " + id());
            } else {
                registry.failed(id());
            }
        }

        private boolean isSomewhere(int spill) {
            List<String> same = output.subList(0, spill + 1);
            return attempts.stream()
                    .filter(attempt -> attempt.number >= firstSinceLoss)
                    .filter(attempt -> attempt.output.size() > spill)
                    .filter(attempt -> attempt.output.subList(0, spill + 1).equals(same))
                    .anyMatch(attempt -> disks.containsKey(attempt.host() + spill));
        }

        void fail() {
            running = false;
            registry.failed(id());
            if (random.nextBoolean()) {
                loseDisk();
            }
        }

        /** As the job is told of it. */
        void loseNode() {
            loseDisk();
            boolean runsAgain = registry.lost(id()).isPresent();
            if (running) {
                running = false;
                registry.failed(id());
            }
            if (runsAgain || successful == this) {
                loseSuccessful();
            }
        }

        void loseDisk() {
            disks.keySet().removeIf(file -> file.startsWith(host()));
        }
    }

    private int voided(int from) {
        return (int)
                registry.updates(0, from, Integer.MAX_VALUE).stream()
                        .filter(update -> update.kind() == SpillUpdate.Kind.VOID)
                        .count();
    }

    final class Reduce {
        private final int partition;
        int restarts;
        private SpillTable table = new SpillTable(1);
        private final Map<Integer, String> has = new HashMap<>();
        private final List<SpillUpdate> places = new ArrayList<>();
        private int seen;

        Reduce(int partition) {
            this.partition = partition;
        }

        private void restart() {
            table = new SpillTable(1);
            has.clear();
            places.clear();
            seen = 0;
            restarts++;
        }

        boolean complete() {
            return table.incomplete() == 0;
        }

        List<String> result() {
            return has.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(Map.Entry::getValue)
                    .toList();
        }

        void poll() {
            for (SpillUpdate update : registry.updates(partition, seen, 1 + random.nextInt(3))) {
                seen++;
                if (complete()) {
                    continue; // all of it is from one attempt, as good as any
                }
                if (!table.apply(update)) {
                    restart();
                    return;
                }
                switch (update.kind()) {
                    case AT -> places.add(update);
                    case EMPTY -> has.put(update.spill(), NOTHING);
                    case VOID -> has.keySet().removeIf(spill -> spill >= update.spill());
                    default -> {}
                }
                if (random.nextBoolean()) {
                    fetch(); // fetchers don't wait for the end of an answer
                }
            }
        }

        /**
         * Tries one of all places that it has ever heard of; an old one may still be on its way.
         */
        void fetch() {
            if (places.isEmpty()) {
                return;
            }
            SpillUpdate place = places.get(random.nextInt(places.size()));
            String address = place.host().substring("http://".length());
            if (!table.wants(MAP, place.spill(), place.attempt(), address)) {
                return;
            }
            String content = disks.get(place.host() + place.spill());
            if (content != null) {
                has.put(place.spill(), content);
                table.fetched(MAP, place.spill());
            } else if (table.succeeded(MAP).isPresent()) {
                report(table.succeeded(MAP).getAsInt());
            }
        }
    }

    /** As the AppMaster does after too many failed fetches of a map's successful attempt. */
    private void report(int attempt) {
        if (successful != null && successful.number == attempt) {
            loseSuccessful();
        }
    }

    private void loseSuccessful() {
        registry.failed(successful.id());
        successful.loseDisk();
        successful = null;
        firstSinceLoss = attempts.size();
        attempts.add(new Attempt(attempts.size(), newOutput(List.of())));
    }

    private List<Attempt> running() {
        return attempts.stream().filter(attempt -> attempt.running).toList();
    }

    /** One random step. */
    void step(boolean calm) throws IOException {
        List<Attempt> running = running();
        int dice = random.nextInt(calm ? 70 : 100);
        if (dice < 30) {
            reduces.get(random.nextInt(reduces.size())).poll();
        } else if (dice < 50) {
            reduces.get(random.nextInt(reduces.size())).fetch();
        } else if (dice < 70) {
            if (!running.isEmpty()) {
                running.get(random.nextInt(running.size())).work();
            }
        } else if (dice < 80) {
            backup(running);
        } else if (dice < 90 && !running.isEmpty()) {
            running.get(random.nextInt(running.size())).fail();
        } else if (dice < 92 && successful != null) {
            loseSuccessful();
        } else if (dice < 94) {
            attempts.get(random.nextInt(attempts.size())).loseNode();
        }
        if (successful == null && running().isEmpty()) {
            attempts.add(new Attempt(attempts.size(), newOutput(List.of())));
        }
    }

    /** A second attempt, from the beginning or from where the first is. */
    private void backup(List<Attempt> running) {
        if (running.size() != 1) {
            return;
        }
        Attempt original = running.get(0);
        boolean clone = random.nextBoolean();
        List<String> done = clone ? original.output.subList(0, original.published) : List.of();
        Attempt backup = new Attempt(attempts.size(), newOutput(done));
        backup.published = done.size();
        backup.begunByOriginal = clone ? done.size() : -1;
        backup.original = original.number;
        attempts.add(backup);
    }

    boolean finished() {
        return successful != null && reduces.stream().allMatch(Reduce::complete);
    }

    List<Reduce> reduces() {
        return reduces;
    }

    /** What each attempt has put out, for that reduce. */
    List<List<String>> outputs(Reduce reduce) {
        return attempts.stream()
                .map(
                        attempt ->
                                attempt.output.stream()
                                        .map(s -> isEmpty(s, reduce.partition) ? NOTHING : s)
                                        .toList())
                .toList();
    }
}
