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
import org.clonehadoop.simulator.speculators.Kind;

/** What is compared: the paper's three, and today's rules. */
enum Variant {
    HADOOP("Hadoop", false, Kind.STOCK),
    LATE("CloneHadoop + LATE", true, Kind.STOCK),
    PAPER("+ cloning (the paper's algorithm)", true, Kind.PAPER),
    OURS("+ cloning (today's rules)", true, Kind.OURS);

    final String title;
    final Kind kind;
    private final boolean perSpill;

    Variant(String title, boolean perSpill, Kind kind) {
        this.title = title;
        this.perSpill = perSpill;
        this.kind = kind;
    }

    JobSpec of(JobSpec spec) {
        return spec.withPerSpill(perSpill);
    }
}
