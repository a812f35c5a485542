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

import java.util.List;

/**
 * One thing that is varied.
 *
 * @param key what
 * @param values what it is, one after the other
 */
record Axis(String key, List<String> values) {
    /**
     * @param text like {@code beta=1,1.2,2}
     * @throws IllegalArgumentException if it isn't
     */
    static Axis of(String text) {
        int equals = text.indexOf('=');
        List<String> values = List.of(text.substring(equals + 1).split(",", -1));
        if (equals < 1 || values.contains("")) {
            throw new IllegalArgumentException("'" + text + "' isn't like KEY=VALUE,VALUE");
        }
        return new Axis(text.substring(0, equals), values);
    }
}
