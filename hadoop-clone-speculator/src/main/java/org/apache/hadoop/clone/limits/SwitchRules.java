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
package org.apache.hadoop.clone.limits;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a switch file says. One statement a line; empty lines and those that begin with {@code #}
 * say nothing:
 *
 * <pre>
 * on
 * off
 * off queue NAME
 * off user NAME
 * limit clones N
 * limit queue NAME clones N
 * limit user NAME clones N
 * percent N
 * </pre>
 *
 * Each statement narrows what the others leave. A file without any is none: a file that is about to
 * be written has none either.
 */
@InterfaceAudience.Private
public final class SwitchRules {
    private final boolean off;
    private final TreeSet<String> queuesOff;
    private final TreeSet<String> usersOff;
    private final Map<String, Integer> caps;
    private final JobShare share;

    private SwitchRules(Parser parsed) {
        off = parsed.off;
        queuesOff = parsed.queuesOff;
        usersOff = parsed.usersOff;
        caps = parsed.caps;
        share = new JobShare(parsed.percent);
    }

    /**
     * @throws IllegalArgumentException with the number of the line that says nothing known, and
     *     what would
     */
    public static SwitchRules parse(String text) {
        return new Parser().parse(text);
    }

    /** What the job may do by these rules. */
    public Permission of(Subject job) {
        Optional<String> why = off(job);
        return why.map(Permission::off)
                .orElseGet(() -> new Permission(Optional.empty(), capsOf(job)));
    }

    private Optional<String> off(Subject job) {
        if (off) {
            return Optional.of("it says off");
        }
        Optional<String> queue = queuesOff.stream().filter(job::isInQueue).findFirst();
        if (queue.isPresent()) {
            return queue.map(name -> "it says off for queue " + name);
        }
        if (usersOff.contains(job.user())) {
            return Optional.of("it says off for user " + job.user());
        }
        return share.has(job.job())
                ? Optional.empty()
                : Optional.of("this job isn't one of the " + share);
    }

    private List<SlotLimit> capsOf(Subject job) {
        return caps.entrySet().stream()
                .filter(cap -> concerns(cap.getKey(), job))
                .map(cap -> new SlotLimit(cap.getKey(), cap.getValue()))
                .toList();
    }

    private static boolean concerns(String scope, Subject job) {
        String[] words = scope.split(" ");
        return switch (words[0]) {
            case Parser.QUEUE -> job.isInQueue(words[1]);
            case Parser.USER -> job.user().equals(words[1]);
            default -> true;
        };
    }

    private static final class Parser {
        static final String CLUSTER = "cluster";
        static final String QUEUE = "queue";
        static final String USER = "user";

        private boolean off;
        private final TreeSet<String> queuesOff = new TreeSet<>();
        private final TreeSet<String> usersOff = new TreeSet<>();
        private final Map<String, Integer> caps = new LinkedHashMap<>();
        private int percent = JobShare.ALL;

        SwitchRules parse(String text) {
            List<String> lines = new ArrayList<>(text.lines().map(String::strip).toList());
            int statements = 0;
            for (int number = 1; number <= lines.size(); number++) {
                String line = lines.get(number - 1);
                if (!line.isEmpty() && !line.startsWith("#")) {
                    statements++;
                    parse(number, line);
                }
            }
            if (statements == 0) {
                throw new IllegalArgumentException("it says nothing: write 'on' or 'off' into it");
            }
            return new SwitchRules(this);
        }

        private void parse(int number, String line) {
            List<String> words = List.of(line.split("\\s+"));
            String shape = words.get(0) + (words.size() > 1 ? " " + words.get(1) : "");
            boolean known =
                    switch (words.size()) {
                        case 1 -> one(shape);
                        case 2 -> shape.startsWith("percent ") && percent(words.get(1));
                        case 3 ->
                                shape.equals("limit clones")
                                        ? cap(CLUSTER, words.get(2))
                                        : off(shape, words.get(2));
                        case 5 ->
                                shape.matches("limit (queue|user)")
                                        && words.get(3).equals("clones")
                                        && cap(words.get(1) + " " + words.get(2), words.get(4));
                        default -> false;
                    };
            if (!known) {
                throw new IllegalArgumentException(
                        "line "
                                + number
                                + " is none of: on; off; off queue NAME; off user NAME; limit"
                                + " clones N; limit queue NAME clones N; limit user NAME clones N;"
                                + " percent 0 to 100");
            }
        }

        private boolean one(String word) {
            off |= word.equals("off");
            return word.equals("off") || word.equals("on");
        }

        private boolean off(String what, String name) {
            return switch (what) {
                case "off queue" -> queuesOff.add(name) || true;
                case "off user" -> usersOff.add(name) || true;
                default -> false;
            };
        }

        private boolean percent(String word) {
            int share = number(word);
            percent = Math.min(percent, share);
            return share >= 0 && share <= JobShare.ALL;
        }

        private boolean cap(String scope, String word) {
            int clones = number(word);
            caps.merge(scope, clones, Math::min);
            return clones >= 0;
        }

        /** Less than 0 if it is none. */
        private static int number(String word) {
            return word.matches("[0-9]{1,6}") ? Integer.parseInt(word) : -1;
        }
    }
}
