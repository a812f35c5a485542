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
package org.clonehadoop.benchmarks.report;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Jobs of one round took turns. Sorts by time: by session, then by number, so that 9 is before 10.
 *
 * @param session when its run of the benchmark began, such as 20261126T040355Z
 * @param number within the session; 0 if the text has none
 */
record Round(String session, int number) implements Comparable<Round> {
    private static final Pattern NUMBERED = Pattern.compile("(.+)-(\\d+)");
    private static final Pattern DAY = Pattern.compile("(\\d{4})(\\d{2})(\\d{2})T.*");
    private static final Comparator<Round> BY_TIME =
            Comparator.comparing(Round::session).thenComparingInt(Round::number);

    /** Of SESSION-NUMBER, as lines have it. */
    static Round of(String text) {
        Matcher numbered = NUMBERED.matcher(text);
        return numbered.matches()
                ? new Round(numbered.group(1), Integer.parseInt(numbered.group(2)))
                : new Round(text, 0);
    }

    /** Such as 2026-11-26; the session's name if that is no time. */
    String day() {
        return DAY.matcher(session).replaceFirst("$1-$2-$3");
    }

    @Override
    public int compareTo(Round that) {
        return BY_TIME.compare(this, that);
    }
}
