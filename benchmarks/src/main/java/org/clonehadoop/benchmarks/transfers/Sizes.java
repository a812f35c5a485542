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
package org.clonehadoop.benchmarks.transfers;

import java.util.Random;

/** How many bytes requests ask for. */
public interface Sizes {
    int next(Random random);

    /** Always the same. */
    static Sizes fixed(int bytes) {
        return random -> bytes;
    }

    /**
     * Of a web search's flows (DCTCP's, as pFabric's simulations have them), a tenth of each: the
     * long ones would take as long as a measurement.
     */
    static Sizes webSearch() {
        return random -> WebSearch.bytes(random.nextDouble());
    }

    /** Of very many. */
    default double mean() {
        Random random = new Random(0);
        int count = 100_000;
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += next(random);
        }
        return sum / count;
    }
}
