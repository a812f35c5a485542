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
package org.clonehadoop.selection.c3;

import java.util.Arrays;

/**
 * What one node that selects replicas knows of the servers: averages of what their answers told,
 * and how many of its requests each hasn't answered. A server that was never heard of is tried
 * first, by one request.
 *
 * <p>Not thread-safe.
 */
public final class Replicas {
    private final double[] response;
    private final double[] service;
    private final double[] queue;
    private final int[] outstanding;

    /**
     * @param servers how many there are, from 0; they have numbers from 0
     */
    public Replicas(int servers) {
        response = new double[servers];
        service = new double[servers];
        queue = new double[servers];
        outstanding = new int[servers];
        Arrays.fill(response, Double.NaN);
        Arrays.fill(service, Double.NaN);
        Arrays.fill(queue, Double.NaN);
    }

    /**
     * The best of the candidates; the first of equals.
     *
     * @param candidates numbers of servers, at least one
     * @param nodes how many nodes select independently, from 1: C3's w
     */
    public int best(int[] candidates, int nodes) {
        int best = candidates[0];
        for (int i = 1; i < candidates.length; i++) {
            if (before(candidates[i], best, nodes)) {
                best = candidates[i];
            }
        }
        return best;
    }

    /** The best of the candidates but one; that one if it is alone. */
    public int bestBut(int without, int[] candidates, int nodes) {
        int best = without;
        for (int candidate : candidates) {
            if (candidate != without && (best == without || before(candidate, best, nodes))) {
                best = candidate;
            }
        }
        return best;
    }

    private boolean before(int one, int other, int nodes) {
        double mine = score(one, nodes);
        double its = score(other, nodes);
        return mine < its || mine == its && outstanding[one] < outstanding[other];
    }

    /**
     * C3's score of a server: less is better. Minus infinity for one that was never heard of and
     * has nothing to answer, infinity while that first answer is awaited.
     */
    public double score(int server, int nodes) {
        if (Double.isNaN(response[server])) {
            return outstanding[server] == 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return C3.score(
                response[server], service[server], queue[server], outstanding[server], nodes);
    }

    /** A request went to the server. */
    public void sent(int server) {
        outstanding[server]++;
    }

    /**
     * The server answered a request that this node selected it for.
     *
     * @param responseTime as seen here; times are in one unit, whichever
     * @param serviceTime as the server tells
     * @param queueLength as the server tells
     */
    public void answered(int server, double responseTime, double serviceTime, double queueLength) {
        forgotten(server);
        response[server] = Ewma.next(response[server], responseTime, C3.WEIGHT);
        service[server] = Ewma.next(service[server], serviceTime, C3.WEIGHT);
        queue[server] = Ewma.next(queue[server], queueLength, C3.WEIGHT);
    }

    /** No answer will come to a request that went to the server. */
    public void forgotten(int server) {
        if (outstanding[server] > 0) {
            outstanding[server]--;
        }
    }

    public int outstanding(int server) {
        return outstanding[server];
    }
}
