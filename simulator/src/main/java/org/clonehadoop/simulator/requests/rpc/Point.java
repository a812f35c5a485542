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
package org.clonehadoop.simulator.requests.rpc;

import java.util.Arrays;
import org.clonehadoop.selection.c3.Ewma;
import org.clonehadoop.selection.pair.Server;

/** What one switch knows of the servers: {@code struct server} of request-switch. */
final class Point {
    /**
     * A server is suspect without an answer for so many answer times, or so long (design: max of
     * both).
     */
    private static final double SILENT_TIMES = 20;

    private static final long SILENT_NANOS = 50_000_000;
    private static final double WEIGHT = 1.0 / 8;

    private final boolean ours;
    private final long[] outstanding;
    private final long[] told;
    private final long[] toldAt;
    private final long[] askedAt;
    private final double[] answerTime;

    /**
     * @param ours whether what is told ages, and servers may be suspect
     */
    Point(int servers, boolean ours) {
        this.ours = ours;
        outstanding = new long[servers];
        told = new long[servers];
        toldAt = new long[servers];
        askedAt = new long[servers];
        answerTime = new double[servers];
        Arrays.fill(told, Server.NEVER);
        Arrays.fill(answerTime, Double.NaN);
    }

    void asked(int server, long now) {
        if (outstanding[server]++ == 0) {
            askedAt[server] = now;
        }
    }

    /**
     * @param time since it was asked
     * @param queue that is told, or {@link Server#NEVER}
     */
    void answered(int server, long now, long time, long queue) {
        gone(server);
        askedAt[server] = now;
        answerTime[server] = Ewma.next(answerTime[server], time, WEIGHT);
        told[server] = queue;
        toldAt[server] = now;
    }

    /** A clone was dropped there; its answer won't come. (The agent tells so.) */
    void gone(int server) {
        outstanding[server]--;
    }

    Server server(int server, int workers, long now) {
        return new Server(
                outstanding[server],
                workers,
                told[server],
                ours ? now - toldAt[server] : 0,
                Double.isNaN(answerTime[server]) ? 0 : (long) answerTime[server],
                suspect(server, now));
    }

    boolean suspect(int server, long now) {
        double times = Double.isNaN(answerTime[server]) ? 0 : SILENT_TIMES * answerTime[server];
        return ours
                && outstanding[server] > 0
                && now - askedAt[server] > Math.max(SILENT_NANOS, times);
    }
}
