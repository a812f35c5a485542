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
package org.apache.hadoop.clone.placement;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Hosts in groups within which each can clone to each, as {@code clone-hadoop check} finds them. A
 * host that is in none can't clone. Where there are no classes all hosts are one.
 *
 * @param classes by hosts, the number of each one's
 */
@InterfaceAudience.Private
public record HostClasses(Map<String, Integer> classes) {
    public static final HostClasses NONE = new HostClasses(Map.of());

    /**
     * @param text hosts of a class with commas between them, classes with semicolons; may be empty
     */
    public static HostClasses parse(String text) {
        Map<String, Integer> classes = new HashMap<>();
        String[] groups = text.split(";");
        for (int number = 0; number < groups.length; number++) {
            for (String host : groups[number].split(",")) {
                if (!host.isBlank()) {
                    classes.put(host.trim(), number);
                }
            }
        }
        return new HostClasses(Map.copyOf(classes));
    }

    /** Whether a process of the one host can't go on on the other. */
    public boolean separate(String original, String clone) {
        if (classes.isEmpty()) {
            return false;
        }
        Integer own = classes.get(original);
        return own == null || !own.equals(classes.get(clone));
    }

    /** Whether there is another host on which a process of this one can go on. */
    public boolean hasPartner(String original) {
        return classes.isEmpty()
                || classes.keySet().stream()
                        .anyMatch(host -> !host.equals(original) && !separate(original, host));
    }

    /** The hosts of classes on which a process of this one can't go on. */
    public Set<String> outside(String original) {
        return classes.keySet().stream()
                .filter(host -> separate(original, host))
                .collect(Collectors.toSet());
    }
}
