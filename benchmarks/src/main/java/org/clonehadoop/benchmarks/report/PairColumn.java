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
import java.util.function.Function;

/** What tables of CloneHadoop's jobs beside Hadoop's say of a row's {@link Pairs}. */
enum PairColumn {
    RUNS("runs", pairs -> String.valueOf(pairs.count())),
    SESSIONS("sessions", pairs -> String.valueOf(pairs.sessions())),
    HADOOP("Hadoop", pairs -> pairs.stock().toString()),
    CLONE_HADOOP("CloneHadoop", pairs -> pairs.other().toString()),
    OVER_HADOOPS("over Hadoop's", pairs -> pairs.overStock().text()),
    MEDIAN("median", pairs -> pairs.roundsOverStock().medianText()),
    QUICKER("quicker in", pairs -> pairs.roundsOverStock().quicker()),
    WINNERS("second attempts that won", pairs -> pairs.other().winners()),
    VERSION("version", pairs -> Markdown.code(pairs.setup().version()));

    /** Of the page's tables of times. */
    static final List<PairColumn> TIMES =
            List.of(RUNS, SESSIONS, HADOOP, CLONE_HADOOP, OVER_HADOOPS, MEDIAN, QUICKER, VERSION);

    private final String head;
    private final Function<Pairs, String> cell;

    PairColumn(String head, Function<Pairs, String> cell) {
        this.head = head;
        this.cell = cell;
    }

    String head() {
        return head;
    }

    String of(Pairs pairs) {
        return cell.apply(pairs);
    }
}
