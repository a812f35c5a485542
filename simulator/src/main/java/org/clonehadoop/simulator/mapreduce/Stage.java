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

import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.clonehadoop.simulator.platform.Load;

/**
 * A part of an attempt's work.
 *
 * @param from its progress when the stage begins, from 0 to 1
 * @param to its progress when it ends
 * @param handlesRecords whether this is the user's code, which is what stragglers are slow at
 * @param published the share of a map's output that reduces can fetch from the stage's end on
 * @param isFromSlowSource whether it is one map's output, over a slow source's link; it counts as
 *     progress once it is there
 */
public record Stage(
        Phase phase,
        Load load,
        double from,
        double to,
        boolean handlesRecords,
        double published,
        boolean isFromSlowSource) {

    /** A JVM comes up. */
    static Stage starting(Load load) {
        return new Stage(Phase.STARTING, load, 0, 0, false, 0, false);
    }

    /** Work that moves the progress. */
    static Stage working(Phase phase, Load load, double from, double to) {
        return new Stage(phase, load, from, to, false, 0, false);
    }

    Stage handlingRecords() {
        return new Stage(phase, load, from, to, true, published, isFromSlowSource);
    }

    Stage publishing(double share) {
        return new Stage(phase, load, from, to, handlesRecords, share, isFromSlowSource);
    }

    /** A map's output, from there. */
    static Stage fromSlowSource(double megabytes, double from, double to) {
        return new Stage(Phase.SHUFFLE, new Load(0, 0, megabytes), from, to, false, 0, true);
    }

    /** Whether nothing of the task itself has been done before its end. */
    boolean isBefore() {
        return to == 0;
    }

    /**
     * Whether it gets what maps have made: nothing else moves a reduce's progress in that phase.
     */
    boolean fetches() {
        return phase == Phase.SHUFFLE && to > from;
    }

    double progress(double done) {
        return isFromSlowSource && done < 1 ? from : from + (to - from) * done;
    }
}
