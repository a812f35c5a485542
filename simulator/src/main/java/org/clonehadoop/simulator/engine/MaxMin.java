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
package org.clonehadoop.simulator.engine;

import java.util.Arrays;
import java.util.Comparator;

/** Max-min fair shares: nobody can have more without somebody who has less having still less. */
public final class MaxMin {
    private MaxMin() {}

    /**
     * @param capacity 0 or more
     * @param demands 0 or more each, infinite for as much as there is
     * @return what each gets: no more than its demand, and together no more than the capacity
     */
    public static double[] shares(double capacity, double[] demands) {
        Integer[] byDemand = new Integer[demands.length];
        Arrays.setAll(byDemand, i -> i);
        Arrays.sort(byDemand, Comparator.comparingDouble(i -> demands[i]));
        double[] shares = new double[demands.length];
        double left = capacity;
        for (int served = 0; served < byDemand.length; served++) {
            int one = byDemand[served];
            shares[one] = Math.min(demands[one], left / (byDemand.length - served));
            left -= shares[one];
        }
        return shares;
    }
}
