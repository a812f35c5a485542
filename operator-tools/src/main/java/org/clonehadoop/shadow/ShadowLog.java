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
package org.clonehadoop.shadow;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads AppMasters' logs: what a shadow would have done about each attempt, and when that attempt
 * succeeded by itself. Any other line says nothing. Lines of several AppMasters may follow one
 * another, but not be mixed.
 */
final class ShadowLog {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
    private static final int TIME_LENGTH = "2026-01-31 23:59:59,999".length();
    private static final Pattern DECISION =
            Pattern.compile(
                    "shadow: (CLONE|NEW|NONE) (attempt_\\d+_\\d+_[mr]_\\d+_\\d+): ([^;(]*[^;( ])"
                            + ".*?(?:; would end in (.+?) by itself, (.+?) as a clone, (.+?)"
                            + " from zero)?(?:; gains .*)?$");
    private static final Pattern SPECULATED =
            Pattern.compile("we are speculating (task_\\d+_\\d+_[mr]_\\d+)");
    private static final Pattern SUCCESS =
            Pattern.compile(
                    "(attempt_\\d+_\\d+_[mr]_\\d+_\\d+) TaskAttempt Transitioned from \\S+ to"
                            + " SUCC\\S*");

    /**
     * What would have been done first about an attempt.
     *
     * @param outcome {@code CLONE} or {@code NEW}
     * @param atMillis when, in the log's own time
     * @param aloneSeconds when it would have ended by itself, by the estimate then, from then;
     *     infinite if it stood still
     * @param insteadSeconds when the other attempt would have, by the same
     */
    record Wish(String outcome, long atMillis, double aloneSeconds, double insteadSeconds) {}

    /** By attempt, in their order. */
    private final Map<String, Wish> wishes = new LinkedHashMap<>();

    private final Map<String, Long> succeeded = new LinkedHashMap<>();
    private final Map<String, Long> reasons = new TreeMap<>();
    private final Set<String> jobs = new TreeSet<>();
    private final Set<String> speculated = new TreeSet<>();

    private ShadowLog() {}

    static ShadowLog read(Stream<String> lines) {
        ShadowLog log = new ShadowLog();
        lines.forEach(log::line);
        return log;
    }

    Map<String, Wish> wishes() {
        return wishes;
    }

    /** When it did, in the log's own time; empty if it didn't, or the log doesn't say. */
    Optional<Long> succeededMillis(String attempt) {
        return Optional.ofNullable(succeeded.get(attempt));
    }

    /** Why stragglers would have been left alone, and how often that was said. */
    Map<String, Long> reasons() {
        return reasons;
    }

    /** Those with anything about a straggler. */
    Set<String> jobs() {
        return jobs;
    }

    /**
     * Tasks that stock's speculator, which decides in such a job, has given a second attempt. What
     * a clone would have gained later isn't known of these.
     */
    Set<String> speculated() {
        return speculated;
    }

    private void line(String line) {
        if (line.contains("shadow: ")) {
            Matcher decision = DECISION.matcher(line);
            if (decision.find()) {
                decided(line, decision);
            }
        } else if (line.contains("addSpeculativeAttempt -- we are speculating ")) {
            Matcher task = SPECULATED.matcher(line);
            if (task.find()) {
                speculated.add(task.group(1));
            }
        } else if (line.contains(" TaskAttempt Transitioned from ")) {
            Matcher success = SUCCESS.matcher(line);
            if (success.find()) {
                time(line).ifPresent(at -> succeeded.putIfAbsent(success.group(1), at));
            }
        }
    }

    private void decided(String line, Matcher decision) {
        String outcome = decision.group(1);
        jobs.add(decision.group(2).replaceFirst("^attempt_(\\d+_\\d+)_.*", "job_$1"));
        if (outcome.equals("NONE")) {
            reasons.merge(decision.group(3), 1L, Long::sum);
            return;
        }
        Optional<Long> at = time(line);
        if (at.isPresent() && decision.group(4) != null) {
            double instead = seconds(decision.group(outcome.equals("CLONE") ? 5 : 6));
            wishes.putIfAbsent(
                    decision.group(2),
                    new Wish(outcome, at.get(), seconds(decision.group(4)), instead));
        }
    }

    private static double seconds(String text) {
        return text.endsWith(" s")
                ? Double.parseDouble(text.substring(0, text.length() - 2))
                : Double.POSITIVE_INFINITY;
    }

    private static Optional<Long> time(String line) {
        if (line.length() < TIME_LENGTH) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    LocalDateTime.parse(line.substring(0, TIME_LENGTH), TIME)
                            .toInstant(ZoneOffset.UTC)
                            .toEpochMilli());
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }
}
