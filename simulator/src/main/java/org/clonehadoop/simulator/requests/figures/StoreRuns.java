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
package org.clonehadoop.simulator.requests.figures;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.clonehadoop.simulator.requests.store.Incident;
import org.clonehadoop.simulator.requests.store.Scheme;
import org.clonehadoop.simulator.requests.store.StoreResult;
import org.clonehadoop.simulator.requests.store.StoreSimulation;
import org.clonehadoop.simulator.requests.store.StoreSpec;

/** Runs of the store, each once, with several placements of clients and servers. */
final class StoreRuns {
    /** The same run with several seeds. */
    record Mean(List<StoreResult> results) {
        double of(ToDoubleFunction<StoreResult> value) {
            return results.stream().mapToDouble(value).average().orElseThrow();
        }

        double mean() {
            return of(StoreResult::mean);
        }

        double p99() {
            return of(StoreResult::p99);
        }

        double throughput() {
            return of(StoreResult::throughput);
        }
    }

    private final Map<StoreSpec, StoreResult> known = new HashMap<>();
    private final List<StoreResult> asked = new ArrayList<>();
    private final long requests;
    private final int placements;
    private final Progress progress;

    StoreRuns(long requests, int placements, Progress progress) {
        this.requests = requests;
        this.placements = placements;
        this.progress = progress;
    }

    StoreSpec paper(Scheme scheme) {
        return StoreSpec.paper(scheme, requests, 1);
    }

    Mean of(StoreSpec spec) {
        List<StoreResult> results = new ArrayList<>();
        for (int seed = 1; seed <= placements; seed++) {
            StoreSpec seeded =
                    new StoreSpec(
                            spec.scheme(),
                            spec.clients(),
                            spec.utilisation(),
                            spec.concurrency(),
                            spec.accelerator(),
                            spec.requests(),
                            spec.congestion(),
                            spec.incident(),
                            seed);
            results.add(known.computeIfAbsent(seeded, this::run));
        }
        asked.addAll(results);
        return new Mean(results);
    }

    private StoreResult run(StoreSpec spec) {
        StoreResult result = StoreSimulation.run(spec);
        progress.ran();
        return result;
    }

    Mean with(Scheme scheme, Incident incident) {
        return of(paper(scheme).with(incident));
    }

    /** All results that were asked for since the last time. */
    List<StoreResult> taken() {
        List<StoreResult> taken = List.copyOf(asked);
        asked.clear();
        return taken;
    }
}
