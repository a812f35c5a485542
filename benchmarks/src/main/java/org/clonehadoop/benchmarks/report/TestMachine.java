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

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The virtual machines that rounds were run on. Both say the same of themselves; but on the second
 * the same build's jobs take about twice as long. So no number is of both.
 */
enum TestMachine {
    FIRST("first"),
    SECOND("second");

    /** Sessions from then on are of the second, if their names tell the time. */
    private static final String MOVED = "20261126T21";

    private static final Pattern TIME = Pattern.compile("\\d{8}T.*");

    private final String text;

    TestMachine(String text) {
        this.text = text;
    }

    static TestMachine of(Round round) {
        String session = round.session();
        return TIME.matcher(session).matches() && session.compareTo(MOVED) >= 0 ? SECOND : FIRST;
    }

    /** Those of them that were run there; empty if none were. */
    Optional<Pairs> of(Pairs pairs) {
        return pairs.only(pair -> of(pair.stock().round()) == this);
    }

    /** Those of them that were run there, in order. */
    List<Run> of(List<Run> runs) {
        return runs.stream().filter(run -> of(run.round()) == this).toList();
    }

    String text() {
        return text;
    }
}
