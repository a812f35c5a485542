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
package org.clonehadoop.selection.controller;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.clonehadoop.selection.fattree.FatTree;
import org.clonehadoop.selection.placement.Group;

/**
 * What the monitors of top-of-rack switches counted (NetRS, 5.4), as {@code clone-switch netrs
 * monitors --json} prints it:
 *
 * <pre>
 * { "seconds": 10,
 *   "groups": [ { "group": "10.3.2.0/24", "tor": "tor-3-2",
 *                 "requests": { "core": 12000, "aggregation": 700, "tor": 50 } } ] }
 * </pre>
 */
public final class Monitors {
    private Monitors() {}

    /**
     * @param files of as many switches as there are; a group stands in one of them
     * @throws IOException in words for the user: which file, and what of it is wrong; also if no
     *     group was counted, of which no plan can be made
     */
    public static List<Group> read(FatTree tree, List<Path> files) throws IOException {
        List<Group> groups = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Path file : files) {
            try {
                JsonNode counted = json(file);
                double seconds = number(counted, "seconds");
                if (!(seconds > 0)) {
                    throw new IllegalArgumentException("'seconds' must be above 0");
                }
                for (JsonNode group : array(counted, "groups")) {
                    Group read = group(tree, group, seconds);
                    if (!names.add(read.name())) {
                        throw new IllegalArgumentException(
                                "group " + read.name() + " was counted before");
                    }
                    groups.add(read);
                }
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ": " + e.getMessage(), e);
            }
        }
        if (groups.isEmpty()) {
            throw new IOException(
                    "no group was counted: switches count those of the plan that was applied, so"
                            + " write the first one by hand, with \"rid\": -1 for each group");
        }
        return groups;
    }

    private static Group group(FatTree tree, JsonNode group, double seconds) {
        int tor = tree.named(text(group, "tor"));
        if (tor >= tree.racks()) {
            throw new IllegalArgumentException(text(group, "tor") + " is no top-of-rack switch");
        }
        JsonNode requests = group.path("requests");
        return new Group(
                text(group, "group"),
                tor,
                number(requests, "core") / seconds,
                number(requests, "aggregation") / seconds,
                number(requests, "tor") / seconds);
    }

    static JsonNode json(Path file) throws IOException {
        try {
            return new ObjectMapper().readTree(file.toFile());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + e.getOriginalMessage(), e);
        }
    }

    static String text(JsonNode of, String key) {
        JsonNode value = of.path(key);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("a text '" + key + "' is missing in " + of);
        }
        return value.textValue();
    }

    static JsonNode array(JsonNode of, String key) {
        JsonNode value = of.path(key);
        if (!value.isArray()) {
            throw new IllegalArgumentException("a list '" + key + "' is missing");
        }
        return value;
    }

    private static double number(JsonNode of, String key) {
        JsonNode value = of.path(key);
        if (!value.isNumber()) {
            throw new IllegalArgumentException("a number '" + key + "' is missing in " + of);
        }
        return value.doubleValue();
    }
}
