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

/**
 * C3's formula (section 3.1 of its paper; netrs.txt, 6.1). Replicas are ranked by
 *
 * <pre>
 *   score = R − 1/µ + q³/µ      q = 1 + outstanding · w + q̄
 * </pre>
 *
 * where R is the average response time that the node saw, 1/µ the average service time and q̄ the
 * average queue length that the server told, {@code outstanding} the node's own requests that the
 * server hasn't answered, and w the number of nodes that choose independently. The least score is
 * the best. The cube keeps a fast server with a long queue from being everybody's choice.
 */
public final class C3 {
    /** The weight of a new sample in each average: C3's α. */
    public static final double WEIGHT = 0.9;

    private C3() {}

    /**
     * @param response R, in any unit of time
     * @param service 1/µ, in the same unit
     * @param queue q̄, in requests, from 0
     * @param outstanding requests of this node without an answer, from 0
     * @param nodes w, from 1
     */
    public static double score(
            double response, double service, double queue, int outstanding, int nodes) {
        return response - service + cube(length(queue, outstanding, nodes)) * service;
    }

    /** The queue length q that is expected in front of one more request. */
    public static double length(double queue, int outstanding, int nodes) {
        return 1 + (double) outstanding * nodes + queue;
    }

    private static double cube(double value) {
        return value * value * value;
    }
}
