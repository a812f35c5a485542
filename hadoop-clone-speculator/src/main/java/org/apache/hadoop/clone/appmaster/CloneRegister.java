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
package org.apache.hadoop.clone.appmaster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.clone.metrics.CloneFigures;

/** What became of a job's clones, for those who look at it while it runs. */
final class CloneRegister {
    private static final int MOST_ROWS = 200;
    private static final int MOST_REASONS = 100;
    private static final String OTHERS = "others";

    private final Map<Long, CloneFigures.Row> rows = new LinkedHashMap<>();
    private final Map<String, Long> reasons = new TreeMap<>();

    /** A clone has come into the state that it is in. */
    synchronized void entered(Clone clone, String why) {
        rows.put(
                clone.id,
                new CloneFigures.Row(
                        clone.id,
                        clone.original.toString(),
                        Objects.toString(clone.attempt, ""),
                        Objects.requireNonNullElse(clone.host, ""),
                        clone.state.toString(),
                        clone.stateSinceMillis,
                        why));
        if (rows.size() > MOST_ROWS) {
            rows.remove(rows.keySet().iterator().next());
        }
        if (clone.state == CloneState.GIVEN_UP || clone.state == CloneState.FELL_BACK) {
            boolean known = reasons.containsKey(why) || reasons.size() < MOST_REASONS;
            reasons.merge(known ? why : OTHERS, 1L, Long::sum);
        }
    }

    /** The last clones, the newest first. */
    synchronized List<CloneFigures.Row> rows() {
        List<CloneFigures.Row> newestFirst = new ArrayList<>(rows.values());
        Collections.reverse(newestFirst);
        return newestFirst;
    }

    /** Why clones came to nothing. */
    synchronized Map<String, Long> reasons() {
        return new TreeMap<>(reasons);
    }
}
