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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * How many tasks of a kind may have a second attempt at once: stock Hadoop's three limits, of which
 * the largest counts.
 *
 * @param minimum however few tasks there are ({@code minimum-allowed-tasks})
 * @param ofTotal a share of the job's tasks of the kind ({@code speculative-cap-total-tasks})
 * @param ofRunning a share of those that run ({@code speculative-cap-running-tasks})
 */
@InterfaceAudience.Private
public record SpeculationCap(int minimum, double ofTotal, double ofRunning) {

    /** As a job is configured, by stock's keys and with its presets. */
    public static SpeculationCap of(Configuration conf) {
        return new SpeculationCap(
                conf.getInt(
                        MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS,
                        MRJobConfig.DEFAULT_SPECULATIVE_MINIMUM_ALLOWED_TASKS),
                conf.getDouble(
                        MRJobConfig.SPECULATIVECAP_TOTAL_TASKS,
                        MRJobConfig.DEFAULT_SPECULATIVECAP_TOTAL_TASKS),
                conf.getDouble(
                        MRJobConfig.SPECULATIVECAP_RUNNING_TASKS,
                        MRJobConfig.DEFAULT_SPECULATIVECAP_RUNNING_TASKS));
    }

    /**
     * @param total the job's tasks of the kind
     * @param running those with an attempt that runs
     */
    public int allowed(int total, int running) {
        return (int) Math.max(minimum, Math.max(ofTotal * total, ofRunning * running));
    }
}
