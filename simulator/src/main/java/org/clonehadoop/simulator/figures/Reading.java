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
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.trouble.LogNormal;
import org.clonehadoop.simulator.trouble.Trouble;

/**
 * How what the paper leaves open can be read: its Table II says "Speculation Cap 0.1, Overall
 * Speculation Cap 1", and nothing says the scale of its log-normal delays.
 */
public enum Reading {
    /** As the names of Hadoop's keys: every task may have a backup. */
    LITERAL("caps as Hadoop's keys are named: every task may have a backup", "0.1", "1", "10", 0.1),
    STOCK_CAPS("caps as Hadoop's presets: 10 at least", "0.1", "0.01", "10", 0.1),
    BINDING_CAPS("caps that bind: a tenth of the running tasks", "0.1", "0", "1", 0.1),
    SHORT_DELAYS("as the first, delays' median 0.03 of a task's work", "0.1", "1", "10", 0.03),
    LONG_DELAYS("as the first, delays' median 0.3 of a task's work", "0.1", "1", "10", 0.3);

    /** The one whose means are drawn as bars and curves; the others make the bands. */
    public static final Reading FIRST = LITERAL;

    private static final double USUAL_SHAPE = 2;

    /** Of the work: with it the paper's base job takes 15 to 45 minutes, as it says. */
    private static final double LONGEST_DELAY = 5;

    final String title;
    private final Map<String, String> caps;
    private final double scale;

    /**
     * @param running of the tasks that run, so many may have a backup
     * @param total of all tasks
     * @param minimum in any case
     * @param scale the delays' median over a task's work
     */
    Reading(String title, String running, String total, String minimum, double scale) {
        this.title = title;
        this.scale = scale;
        caps =
                Map.of(
                        MRJobConfig.SPECULATIVECAP_RUNNING_TASKS, running,
                        MRJobConfig.SPECULATIVECAP_TOTAL_TASKS, total,
                        MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS, minimum);
    }

    /** The paper's base job. */
    JobSpec job() {
        return job(USUAL_SHAPE);
    }

    /**
     * The same with other delays.
     *
     * @param shape σ of their logarithms
     */
    public JobSpec job(double shape) {
        return JobSpec.ofThePaper().withConf(caps).withTroubles(delays(shape));
    }

    Trouble delays(double shape) {
        return new LogNormal(scale, shape, LONGEST_DELAY);
    }
}
