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

import java.util.Map;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** How Table II's "Speculation Cap 0.1, Overall Speculation Cap 1" can be read. */
enum Caps {
    /** As the names of Hadoop's keys: every task may have a backup. */
    LITERAL("0.1", "1", "10"),
    /** Hadoop's presets. */
    STOCK("0.1", "0.01", "10"),
    /** A tenth of those that run, so that it binds. */
    BINDING("0.1", "0", "1");

    final Map<String, String> conf;

    Caps(String running, String total, String minimum) {
        conf =
                Map.of(
                        MRJobConfig.SPECULATIVECAP_RUNNING_TASKS, running,
                        MRJobConfig.SPECULATIVECAP_TOTAL_TASKS, total,
                        MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, minimum);
    }
}
