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
package org.clonehadoop.simulator.figures;

import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.speculators.Kind;

/** What is compared: the paper's three, and today's rules. */
enum Variant {
    HADOOP("Hadoop", "#8b929c", false, Kind.STOCK),
    LATE("CloneHadoop, LATE", "#3f7cbf", true, Kind.STOCK),
    PAPER("clones, the paper's rules", "#d98324", true, Kind.PAPER),
    OURS("clones, today's rules", "#2e8b57", true, Kind.OURS);

    final String title;
    final String colour;
    final Kind kind;
    private final boolean perSpill;

    Variant(String title, String colour, boolean perSpill, Kind kind) {
        this.title = title;
        this.colour = colour;
        this.perSpill = perSpill;
        this.kind = kind;
    }

    /** What clones cost is all the same where there are none. */
    JobSpec of(JobSpec spec, CostBook costs) {
        return spec.withPerSpill(perSpill).withCosts(kind == Kind.STOCK ? CostBook.paper() : costs);
    }
}
