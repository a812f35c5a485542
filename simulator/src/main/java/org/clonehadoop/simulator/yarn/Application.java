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

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.platform.SimHost;

/** An application that has containers, and waits for more. Names are its own. */
public final class Application {
    /** Before all that tasks ask for. */
    private static final int APP_MASTER_PRIORITY = 0;

    private static final String APP_MASTER = "AppMaster";

    /**
     * @param name of which luck depends
     * @param priority a smaller one is served first
     * @param heartbeatMillis how often the AppMaster asks meanwhile
     */
    public record Request(
            String name,
            int priority,
            List<String> hosts,
            long heartbeatMillis,
            Consumer<SimHost> granted) {}

    record Waiting(Request request, long serial) {}

    private final Containers containers;
    private final Draws draws;
    private final int number;
    private final Map<String, Waiting> byName = new HashMap<>();
    private final TreeSet<Waiting> waiting =
            new TreeSet<>(
                    Comparator.comparingInt((Waiting one) -> one.request().priority())
                            .thenComparingLong(Waiting::serial));
    private long serial;
    private int held;

    Application(Containers containers, Draws draws, int number) {
        this.containers = containers;
        this.draws = draws;
        this.number = number;
    }

    /** For its AppMaster, which must come before all else. */
    public void requestAppMaster(List<String> hosts, Consumer<SimHost> granted) {
        request(
                new Request(
                        APP_MASTER,
                        APP_MASTER_PRIORITY,
                        hosts,
                        Containers.HEARTBEAT_MILLIS,
                        granted));
    }

    public void request(Request request) {
        containers.later(
                draws.below(request.heartbeatMillis(), request.name() + " asks " + serial),
                () -> {
                    add(new Waiting(request, serial++));
                    containers.serve();
                });
    }

    /** Without being asked. */
    public void take(SimHost host) {
        containers.take(this, host);
    }

    /**
     * It isn't wanted any more.
     *
     * @return whether it waited here
     */
    public boolean withdraw(String name) {
        Waiting one = byName.get(name);
        if (one == null) {
            return false;
        }
        remove(one);
        return true;
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
        return !waiting.isEmpty();
    }

    boolean waitsForAppMaster() {
        return waits() && first().request().priority() == APP_MASTER_PRIORITY;
    }

    Waiting first() {
        return waiting.first();
    }

    Draws draws() {
        return draws;
    }

    void add(Waiting one) {
        containers.change(
                this,
                () -> {
                    waiting.add(one);
                    byName.put(one.request().name(), one);
                });
    }

    void remove(Waiting one) {
        containers.change(
                this,
                () -> {
                    waiting.remove(one);
                    byName.remove(one.request().name());
                });
    }

    void hold(int more) {
        containers.change(this, () -> held += more);
    }
}
