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
package org.clonehadoop.simulator.requests.store;

import org.clonehadoop.simulator.requests.engine.Random;
import org.clonehadoop.simulator.requests.engine.Waiting;

/**
 * Servers with some slots each, whose speed fluctuates: 4 ms or 1 ms in the mean, at equal odds.
 */
final class Servers {
    static final long FLUCTUATION = 50_000_000;
    private static final double SLOW = Deployment.SLOW_MILLIS * 1e6;
    private static final double RANGE = 4;

    private final Waiting[] waiting;
    private final int[] busy;
    private final double[] mean;
    private final Random service;
    private final Random speed;

    Servers(int count, long seed) {
        waiting = new Waiting[count];
        busy = new int[count];
        mean = new double[count];
        service = new Random(seed, "service");
        speed = new Random(seed, "speed");
        for (int i = 0; i < count; i++) {
            waiting[i] = new Waiting();
        }
        fluctuate();
    }

    void fluctuate() {
        for (int i = 0; i < mean.length; i++) {
            mean[i] = speed.chance(0.5) ? SLOW : SLOW / RANGE;
        }
    }

    /** A request comes; whether it is worked on at once. */
    boolean begin(int server, int request) {
        if (busy[server] == Deployment.SLOTS) {
            waiting[server].add(request);
            return false;
        }
        busy[server]++;
        return true;
    }

    /** One is done; the one whose turn it is, or -1. */
    int next(int server) {
        if (waiting[server].size() == 0) {
            busy[server]--;
            return -1;
        }
        return waiting[server].take();
    }

    /** How long the next request takes, in nanoseconds. */
    long serviceTime(int server) {
        return (long) service.exponential(mean[server]);
    }

    int queue(int server) {
        return waiting[server].size();
    }

    /** What an oracle ranks by: service time times queue length, with those being worked on. */
    double work(int server) {
        return mean[server] * (1 + waiting[server].size() + busy[server]);
    }
}
