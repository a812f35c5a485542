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
package org.apache.hadoop.clone.hdfs.read.conf;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;

/**
 * All keys of duplicate reads, with their defaults. docs/configuration.md is their reference. Times
 * have a unit ({@code ms}, {@code s}, {@code m}), and are in milliseconds without one.
 */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public final class DuplicateReadKeys {
    private static final String CLIENT = "dfs.client.duplicate.";
    private static final String DATA_NODE = "dfs.datanode.duplicate.";

    /** Which copies of a read there are, and when: docs/duplicate-stage.md. */
    public static final String POLICY = CLIENT + "policy";

    public static final String POLICY_DEFAULT = "das";

    /** How long a read waits before its duplicate is sent, with {@code das}; not negative. */
    public static final String DELAY = CLIENT + "delay";

    public static final String DELAY_DEFAULT = "1ms";

    /** The same with {@code hedged} and {@code app-timeout}. */
    public static final String THRESHOLD = CLIENT + "threshold";

    public static final String THRESHOLD_DEFAULT = "500ms";

    /** Bytes of one duplicate, at most, and so of its memory; more than 0. */
    public static final String WINDOW = CLIENT + "window";

    public static final String WINDOW_DEFAULT = "4m";

    /** How many duplicates a JVM reads at once; at least 1. */
    public static final String THREADS = CLIENT + "threads";

    public static final int THREADS_DEFAULT = 16;

    /** Whether reads of local files are duplicated as well. */
    public static final String SHORT_CIRCUIT = CLIENT + "short-circuit";

    public static final boolean SHORT_CIRCUIT_DEFAULT = false;

    /** Where primaries of positional reads go: {@code direct} or {@code stage}. */
    public static final String PRIMARY = CLIENT + "primary";

    public static final String PRIMARY_DEFAULT = "direct";

    /** How long a primary waits in a stage's queue until it goes directly; more than 0. */
    public static final String STAGE_WAIT = CLIENT + "stage-wait";

    public static final String STAGE_WAIT_DEFAULT = "2s";

    /** Which replica is read first: {@code namenode}'s first, or the best by {@code c3}. */
    public static final String PREFER = CLIENT + "prefer";

    public static final String PREFER_DEFAULT = "namenode";

    /** Where, with {@code c3}, a host's memory of its DataNodes is: a directory in memory. */
    public static final String MEMORY = CLIENT + "memory";

    public static final String MEMORY_DEFAULT = "/dev/shm";

    /**
     * What is added to the port of a DataNode's data transfer for that of its stage: the same for
     * clients and DataNodes, negative or not.
     */
    public static final String PORT_OFFSET = "dfs.duplicate.port-offset";

    public static final int PORT_OFFSET_DEFAULT = 10000;

    /**
     * To what duplicates give way: readers and writers of the {@code volume}, of these only the
     * {@code active} ones, those of the {@code node}, or {@code none}.
     */
    public static final String YIELD = DATA_NODE + "yield";

    public static final String YIELD_DEFAULT = "volume";

    /** How many duplicates read from a volume at once; 0 finds it by probing. */
    public static final String LIMIT = DATA_NODE + "limit";

    public static final int LIMIT_DEFAULT = 0;

    /** How many duplicates wait at a DataNode; more are turned away. At least 1. */
    public static final String QUEUE = DATA_NODE + "queue";

    public static final int QUEUE_DEFAULT = 1000;

    /** How long a duplicate waits in the queue, or for primaries in between; more than 0. */
    public static final String MAX_WAIT = DATA_NODE + "max-wait";

    public static final String MAX_WAIT_DEFAULT = "10s";

    /** The byte of IP's type of service that duplicates' packets have; 0 to 255. */
    public static final String TRAFFIC_CLASS = DATA_NODE + "traffic-class";

    public static final int TRAFFIC_CLASS_DEFAULT = 8;

    /** The class in which duplicates' reads reach the disk: {@code idle} or {@code none}. */
    public static final String IO_CLASS = DATA_NODE + "io-class";

    public static final String IO_CLASS_DEFAULT = "idle";

    private DuplicateReadKeys() {}
}
