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
package org.apache.hadoop.clone.conf;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;

/** All keys of ours, with their defaults. docs/configuration.md is their reference. */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public final class CloneKeys {
    private static final String PREFIX = "mapreduce.clone.";

    /** {@code off}, {@code shadow} or {@code on}: see {@link CloneMode}. */
    public static final String MODE = PREFIX + "mode";

    public static final String MODE_DEFAULT = "on";

    /** β of the paper, at least 1. */
    public static final String BETA = PREFIX + "beta";

    public static final double BETA_DEFAULT = 1.2;

    /**
     * What a second attempt must save, as a part of the time that it would have a container for, as
     * long as its task isn't the last of its kind: at least 0, where the paper takes any gain.
     */
    public static final String LEAST_GAIN = PREFIX + "least-gain";

    public static final double LEAST_GAIN_DEFAULT = 0.5;

    /** Whether a second attempt that straggles itself ends in favour of another. */
    public static final String REPLACE = PREFIX + "replace-second-attempts";

    public static final boolean REPLACE_DEFAULT = true;

    /** t̄_vm of the paper before the first clone, in milliseconds, more than 0. */
    public static final String VM_MILLIS = PREFIX + "vm-millis";

    public static final long VM_MILLIS_DEFAULT = 1500;

    /** B̄ of the paper before the first clone, in bytes per second, more than 0. */
    public static final String BANDWIDTH = PREFIX + "bandwidth-per-second";

    public static final String BANDWIDTH_DEFAULT = "100m";

    /** Whether a job begins with what clones have cost the user's jobs before it. */
    public static final String REMEMBER_COSTS = PREFIX + "remember-costs";

    public static final boolean REMEMBER_COSTS_DEFAULT = true;

    /** The native tool: a path, or a name to be found on the nodes' {@code PATH}. */
    public static final String TOOL = PREFIX + "tool";

    public static final String TOOL_DEFAULT = "criu-remote-clone";

    /**
     * How long an original may take to come to a record boundary, and then to end its calls; if it
     * takes longer there is no clone. A map whose spill is being written may take up to a quarter
     * of {@link #TIME_LIMIT} more. With a unit, milliseconds if there is none.
     */
    public static final String GATE_LIMIT = PREFIX + "gate-limit";

    public static final String GATE_LIMIT_DEFAULT = "5s";

    /**
     * How long a map with per-spill outputs may run on before its freeze to come to a point at
     * which its larger buffer is free; 0 is never. Unit as of {@link #GATE_LIMIT}.
     */
    public static final String BOUNDARY_PATIENCE = PREFIX + "boundary-patience";

    public static final String BOUNDARY_PATIENCE_DEFAULT = "2s";

    /**
     * How long a clone may take from its original's freeze until it runs; as {@link #GATE_LIMIT}.
     * Before, its container waits for as long as the clone is worth.
     */
    public static final String TIME_LIMIT = PREFIX + "time-limit";

    public static final String TIME_LIMIT_DEFAULT = "2m";

    /**
     * For how long an original may be frozen; if it would take longer it runs on, and there is no
     * clone. As {@link #GATE_LIMIT}, more than 0.
     */
    public static final String MAX_FREEZE = PREFIX + "max-freeze";

    public static final String MAX_FREEZE_DEFAULT = "10s";

    /**
     * After how many clones in a row that failed before they ran, or died after, a job tries no
     * more; at least 1.
     */
    public static final String MAX_FAILURES = PREFIX + "max-failures";

    public static final int MAX_FAILURES_DEFAULT = 3;

    /** Whether reduces are cloned, as well as maps. */
    public static final String REDUCE = PREFIX + "reduce";

    public static final boolean REDUCE_DEFAULT = true;

    /**
     * Whether a reduce that only waits for maps gives its container to a map's second attempt that
     * can't get one.
     */
    public static final String REDUCE_YIELD = PREFIX + "reduce-yield";

    public static final boolean REDUCE_YIELD_DEFAULT = true;

    /**
     * Whether first attempts, too, give back containers on hosts where this job's attempts are
     * slow, as long as better ones are likely to come soon enough.
     */
    public static final String AVOID_SLOW_HOSTS = PREFIX + "avoid-slow-hosts";

    public static final boolean AVOID_SLOW_HOSTS_DEFAULT = true;

    /**
     * Classes of output committers, with commas between them, whose tasks can be cloned, as with
     * Hadoop's own. All that such a committer keeps of its attempt must be its work path, always
     * the same object; what else it needs it takes from the context that it is given.
     */
    public static final String COMMITTERS = PREFIX + "committers";

    public static final String COMMITTERS_DEFAULT = "";

    /**
     * Hosts in classes within which each can clone to each: hosts with commas between them, classes
     * with semicolons. A clone's container is asked for within the class of its original's host.
     * Nothing: all are one class.
     */
    public static final String HOST_CLASSES = PREFIX + "host-classes";

    public static final String HOST_CLASSES_DEFAULT = "";

    /**
     * The file that says how far jobs may go, which running jobs obey within 10 s; no file is
     * looked at if there is no name. If it can't be read, or understood, jobs are as stock's.
     */
    public static final String SWITCH_FILE = PREFIX + "switch.file";

    public static final String SWITCH_FILE_DEFAULT = "";

    /** Of a hundred jobs, so many use any of this; 0 to 100. */
    public static final String PERCENT_OF_JOBS = PREFIX + "percent-of-jobs";

    public static final int PERCENT_OF_JOBS_DEFAULT = 100;

    /**
     * For so many seconds, all together, a job's second attempts may have containers; then none
     * begins any more. Less than 0 is without limit.
     */
    public static final String MAX_EXTRA_CONTAINER_SECONDS = PREFIX + "max-extra-container-seconds";

    public static final long MAX_EXTRA_CONTAINER_SECONDS_DEFAULT = -1;

    private CloneKeys() {}
}
