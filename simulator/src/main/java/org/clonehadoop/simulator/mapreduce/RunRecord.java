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
package org.clonehadoop.simulator.mapreduce;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.SortedSet;

/**
 * What became of a simulated job. Seconds are since its beginning.
 *
 * @param shuffleEndSeconds when the last reduce had fetched everything; 0 without reduces
 * @param orderedNew attempts from zero that the speculator ordered
 * @param orderedClones clones that it ordered
 * @param wonNew tasks that an attempt won that was begun again, or was to be a clone and wasn't
 * @param ranClones clones that came to run
 * @param wonClones tasks that a clone won
 * @param heldSeconds containers' time of all attempts
 * @param orderToRunningMillis of all clones that came to run, together
 * @param frozenMillis that originals stood still for their clones
 * @param events that were simulated
 * @param orders in their order
 * @param ends of all tasks
 * @param speculated tasks that had more than one attempt at once, by name
 */
public record RunRecord(
        double jobSeconds,
        double mapsEndSeconds,
        double firstReduceSeconds,
        double shuffleEndSeconds,
        int orderedNew,
        int orderedClones,
        int wonNew,
        int ranClones,
        int wonClones,
        ThrownAway thrownAway,
        double heldSeconds,
        double orderToRunningMillis,
        double frozenMillis,
        long events,
        List<Order> orders,
        List<End> ends,
        SortedSet<String> speculated) {

    /**
     * @param progress of the attempt, as it was known then
     */
    public record Order(double seconds, boolean cloned, boolean map, double progress) {}

    public record End(double seconds, boolean map) {}

    /** Containers' time that brought nothing. */
    @JsonProperty("thrownAwaySeconds")
    public double thrownAwaySeconds() {
        return thrownAway.total();
    }

    public int orders(boolean cloned, boolean map) {
        return (int)
                orders.stream().filter(one -> one.cloned() == cloned && one.map() == map).count();
    }
}
