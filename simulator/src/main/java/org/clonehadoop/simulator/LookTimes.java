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
package org.clonehadoop.simulator;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.clonehadoop.benchmarks.feed.FeedPlayer;

/** How long a speculator's looks take on this machine. No part of what a simulation yields. */
final class LookTimes {
    private final List<Long> nanos = new ArrayList<>();

    /** The same speculator, watched. */
    FeedPlayer.Listener of(FeedPlayer.Listener speculator) {
        return new FeedPlayer.Listener() {
            @Override
            public void handle(SpeculatorEvent event) {
                speculator.handle(event);
            }

            @Override
            public void look() {
                long begun = System.nanoTime();
                speculator.look();
                nanos.add(System.nanoTime() - begun);
            }
        };
    }

    int count() {
        return nanos.size();
    }

    /**
     * @param share of all looks that take no longer, from 0 to 1
     * @throws IllegalStateException if there was none
     */
    double millis(double share) {
        return nanos.stream()
                .sorted()
                .skip((long) Math.ceil(share * nanos.size()) - 1)
                .mapToDouble(one -> one / 1e6)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there was no look"));
    }
}
