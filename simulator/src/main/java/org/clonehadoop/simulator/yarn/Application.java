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
package org.clonehadoop.simulator.yarn;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.platform.SimHost;

/** An application that has containers, and waits for more. Names are its own. */
public final class Application {
    /** Before all that tasks ask for. */
    private static final int APP_MASTER_PRIORITY = 0;

    private static final String APP_MASTER = "AppMaster";

    /**
     * @param name no other's that waits
     * @param priority a smaller one is served first
     * @param handedOut the same for all of a priority
     * @param hurried how much more often the AppMaster asks for it, all at once
     */
    public record Request(
            String name,
            int priority,
            List<String> hosts,
            HandingOut handedOut,
            Hurry hurried,
            Consumer<SimHost> granted) {}

    /**
     * An AppMaster that asks more often than it would.
     *
     * @param untilMillis from then on it doesn't
     */
    public record Hurry(long periodMillis, long untilMillis) {
        public static final Hurry NONE = new Hurry(Containers.HEARTBEAT_MILLIS, 0);
    }

    private final Containers containers;
    private final int number;

    /** When its AppMaster asks, from the period's begin. */
    private final long beatMillis;

    private final TreeMap<Integer, Asks> byPriority = new TreeMap<>();
    private Set<String> withheld = Set.of();
    private int held;

    Application(Containers containers, Draws draws, int number) {
        this.containers = containers;
        this.number = number;
        beatMillis = draws.below(Containers.HEARTBEAT_MILLIS, "AppMaster beats at");
    }

    /** For its AppMaster, which must come before all else. */
    public void requestAppMaster(Consumer<SimHost> granted) {
        request(
                new Request(
                        APP_MASTER,
                        APP_MASTER_PRIORITY,
                        List.of(),
                        HandingOut.BY_TURN,
                        Hurry.NONE,
                        granted));
    }

    public void request(Request request) {
        request(request, () -> {});
    }

    /**
     * @param told is run once the ResourceManager knows of it: what comes free from then on is the
     *     request's, if it matters most
     */
    public void request(Request request, Runnable told) {
        containers.later(
                millisUntilBeat(request),
                () -> {
                    add(request);
                    told.run();
                });
    }

    /** Where it is to be offered nothing, from its AppMaster's next heartbeat on. */
    public void withhold(Set<String> hosts) {
        containers.later(
                millisUntilBeat(Hurry.NONE), () -> containers.change(this, () -> withheld = hosts));
    }

    /** Without being asked. */
    public void take(SimHost host) {
        containers.take(this, host);
    }

    /** The same, with the node's next heartbeat. */
    public void takeWithHeartbeat(SimHost host, Runnable taken) {
        containers.withHeartbeat(
                host,
                () -> {
                    take(host);
                    taken.run();
                });
    }

    /**
     * It isn't wanted any more.
     *
     * @return whether it waited here
     */
    public boolean withdraw(String name) {
        Optional<Request> one =
                byPriority.values().stream().flatMap(asks -> asks.named(name).stream()).findFirst();
        one.ifPresent(this::remove);
        return one.isPresent();
    }

    /** Others may have it from the node's next heartbeat on. */
    public void giveBack(SimHost host) {
        containers.giveBack(this, host);
    }

    /** Hosts that have room now; all that aren't lost if there is none. */
    public List<SimHost> room() {
        return containers.room();
    }

    /** How many it could have in all: those that no other has. */
    public int most() {
        return containers.notHeldByOthers(this);
    }

    // --- for the ResourceManager ---

    int number() {
        return number;
    }

    /** How many it has, or is about to hear of. */
    int held() {
        return held;
    }

    boolean waits() {
        return byPriority.values().stream().anyMatch(asks -> !asks.isEmpty());
    }

    boolean waitsForAppMaster() {
        Asks asks = byPriority.get(APP_MASTER_PRIORITY);
        return asks != null && !asks.isEmpty();
    }

    /** A node has room. While what matters most awaits a better one, nothing else is served. */
    Optional<Request> offer(SimHost host, int nodes) {
        if (withheld.contains(host.name())) {
            return Optional.empty();
        }
        return byPriority.values().stream()
                .filter(asks -> !asks.isEmpty())
                .findFirst()
                .flatMap(asks -> asks.offer(host.name(), nodes));
    }

    /** Until its AppMaster next tells the ResourceManager what it lacks, and hears what it has. */
    long millisUntilBeat(Request request) {
        return millisUntilBeat(request.hurried());
    }

    private long millisUntilBeat(Hurry hurry) {
        boolean hurried = containers.now() < hurry.untilMillis();
        return Math.floorMod(
                beatMillis - containers.now(),
                hurried ? hurry.periodMillis() : Containers.HEARTBEAT_MILLIS);
    }

    void add(Request one) {
        containers.change(
                this,
                () -> byPriority.computeIfAbsent(one.priority(), none -> new Asks()).add(one));
    }

    void remove(Request one) {
        containers.change(this, () -> byPriority.get(one.priority()).remove(one));
    }

    void hold(int more) {
        containers.change(this, () -> held += more);
    }
}
