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
package org.clonehadoop.simulator.sweep;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One value for each thing that is varied.
 *
 * @param settings by key, in the order in which they were asked for
 */
record Point(Map<String, String> settings) {
    /** All of them, crossed; what was asked for last varies first. */
    static List<Point> crossed(List<Axis> axes) {
        List<Point> points = List.of(new Point(Map.of()));
        for (Axis axis : axes) {
            List<Point> longer = new ArrayList<>();
            for (Point point : points) {
                for (String value : axis.values()) {
                    longer.add(point.and(axis.key(), value));
                }
            }
            points = longer;
        }
        return points;
    }

    private Point and(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(key, value);
        return new Point(more);
    }

    /**
     * @throws IllegalArgumentException if the trial has no such thing
     */
    Trial set(Trial trial) {
        List<String> keys = new ArrayList<>(settings.keySet());
        keys.sort(Comparator.comparing(key -> Knob.of(key).comesLast()));
        Trial set = trial;
        for (String key : keys) {
            set = Knob.of(key).set(set, key, settings.get(key));
        }
        return set;
    }
}
