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

/** The sizes of a web search's flows. */
final class WebSearch {
    private static final int[] PACKETS = {1, 6, 13, 19, 33, 53, 133, 667, 1333, 3333, 6667, 20000};

    /** How many of a hundred flows have no more. */
    private static final int[] PERCENT = {0, 15, 20, 30, 40, 53, 60, 70, 80, 90, 97, 100};

    private static final int PACKET_BYTES = 1460;
    private static final int PART = 10;

    private WebSearch() {}

    /**
     * A tenth of a flow.
     *
     * @param share of all flows that are no longer, from 0 to below 1
     */
    static int bytes(double share) {
        double percent = 100 * share;
        int i = 1;
        while (percent >= PERCENT[i]) {
            i++;
        }
        double within = (percent - PERCENT[i - 1]) / (PERCENT[i] - PERCENT[i - 1]);
        double packets = PACKETS[i - 1] + within * (PACKETS[i] - PACKETS[i - 1]);
        return (int) (packets * PACKET_BYTES / PART);
    }
}
