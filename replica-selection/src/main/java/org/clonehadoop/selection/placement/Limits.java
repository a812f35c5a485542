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
package org.clonehadoop.selection.placement;

import java.util.Arrays;
import java.util.Collection;
import org.clonehadoop.selection.fattree.FatTree;

/**
 * What selection may take of the network.
 *
 * @param load T^max of each switch: requests per second that may be selected for there, 0 for none
 * @param extraHops E: hops per second that requests may take more than without selection, from 0
 */
public record Limits(double[] load, double extraHops) {
    /**
     * The same for all switches: T^max = U · c / t (NetRS, 3.2).
     *
     * @param utilisation U: the share of an accelerator that may be used, 0 to 1
     * @param cores c: of an accelerator, from 1
     * @param seconds t: that one selection takes, above 0
     * @param extraHops E: hops per second, from 0
     */
    public static Limits uniform(
            FatTree tree, double utilisation, int cores, double seconds, double extraHops) {
        if (!(seconds > 0)) {
            throw new IllegalArgumentException("a selection can't take " + seconds + " s");
        }
        double[] load = new double[tree.switches()];
        Arrays.fill(load, utilisation * cores / seconds);
        return new Limits(load, extraHops);
    }

    /** The same, with nothing selected at some switches: Algorithm 2, lines 4 and 5. */
    public Limits without(Collection<Integer> switches) {
        double[] left = load.clone();
        switches.forEach(one -> left[one] = 0);
        return new Limits(left, extraHops);
    }
}
