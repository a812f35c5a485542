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
package org.apache.hadoop.clone.score;

import org.apache.hadoop.classification.InterfaceAudience;

/** {@link CloneCosts} as the clones made so far have shown them, from configured beginnings. */
@InterfaceAudience.Private
public final class LearnedCosts {
    // Fewer bytes travel too fast for their rate to say anything of the network's.
    private static final long TELLING_BYTES = 1 << 20;

    private final double beta;
    private final LearnedMean vmMillis;
    private final LearnedMean bytesPerMilli;

    /**
     * @param beginning the configured costs; their time for a JVM must be more than 0
     */
    public LearnedCosts(CloneCosts beginning) {
        beta = beginning.beta();
        vmMillis = new LearnedMean(beginning.vmMillis());
        bytesPerMilli = new LearnedMean(beginning.bytesPerMilli());
    }

    /**
     * A clone that has come to run.
     *
     * @param vm milliseconds from its container's launch until it ran, without those its files took
     * @param fileBytes the files that travelled
     * @param fileMillis how long they took
     */
    public void learn(double vm, long fileBytes, double fileMillis) {
        vmMillis.add(vm);
        if (fileBytes >= TELLING_BYTES) {
            bytesPerMilli.add(fileBytes / fileMillis);
        }
    }

    public CloneCosts costs() {
        return new CloneCosts(beta, vmMillis.get(), bytesPerMilli.get());
    }
}
