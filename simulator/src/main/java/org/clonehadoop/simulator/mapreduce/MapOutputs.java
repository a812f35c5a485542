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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.clonehadoop.simulator.platform.SimHost;

/** How much of what maps make can be fetched: of each spill, the first attempt's. */
public final class MapOutputs {
    /** Reduces wait for so much more of all at the least: what comes in less isn't worth a look. */
    private static final double STEP = 0.004;

    private final int maps;
    private final SimHost slowLink;
    private final Map<TaskId, Double> published = new HashMap<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private double sum;
    private int whole;
    private double told;

    /**
     * @param slowLink all that comes from a slow source goes through it; null if there is none
     */
    MapOutputs(int maps, SimHost slowLink) {
        this.maps = maps;
        this.slowLink = slowLink;
    }

    SimHost slowLink() {
        return slowLink;
    }

    void publish(TaskId map, double share) {
        double before = published.getOrDefault(map, 0.0);
        if (share <= before) {
            return;
        }
        published.put(map, share);
        sum += share - before;
        whole += share >= 1 ? 1 : 0;
        if (share() < 1 && share() < told + STEP) {
            return;
        }
        told = share();
        List<Runnable> woken = List.copyOf(waiting);
        waiting.clear();
        woken.forEach(Runnable::run);
    }

    /** The share of all, from 0 to 1. */
    double share() {
        return whole == maps ? 1 : Math.min(1, sum / maps);
    }

    /** Runs it once, when there is more. */
    void onceThereIsMore(Runnable then) {
        waiting.add(then);
    }
}
