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
package org.apache.hadoop.clone.hdfs.read;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.clone.hdfs.read.wire.StagePort;
import org.apache.hadoop.clone.stage.Policy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;

/**
 * How a client's reads are duplicated.
 *
 * @param policy with one duplicate
 * @param windowBytes what a duplicate reads at most, from 1
 * @param threads how many duplicates a JVM reads at once, from 1
 * @param stageWait how long a primary waits in its DataNode's stage, from 1 ms; empty if primaries
 *     don't go there
 * @param shortCircuit whether reads of local files are duplicated as well
 * @param memory where this host's knowledge of DataNodes is, by which they are chosen; empty if the
 *     NameNode's order holds
 */
record ReadSettings(
        Policy policy,
        int windowBytes,
        int threads,
        Optional<Duration> stageWait,
        boolean shortCircuit,
        Optional<Path> memory) {
    private static final int MOST_WINDOW = 1 << 30;

    private static final List<String> POLICIES =
            List.of("off", "single", "cloning", "hedged", "app-timeout", "tied", "das");

    /**
     * @return empty if nothing is to be duplicated
     * @throws IllegalArgumentException if a value makes no sense, with a line that says so
     */
    static Optional<ReadSettings> of(Configuration conf) {
        Policy policy = policy(conf);
        if (policy.duplicates().isEmpty()) {
            return Optional.empty();
        }
        boolean shortCircuit =
                conf.getBoolean(
                        DuplicateReadKeys.SHORT_CIRCUIT, DuplicateReadKeys.SHORT_CIRCUIT_DEFAULT);
        StagePort.offset(conf); // or each read would find that it is none
        return Optional.of(
                new ReadSettings(
                        policy,
                        window(conf),
                        threads(conf),
                        stageWait(conf),
                        shortCircuit,
                        memory(conf)));
    }

    private static Optional<Path> memory(Configuration conf) {
        String prefer = conf.getTrimmed(DuplicateReadKeys.PREFER, DuplicateReadKeys.PREFER_DEFAULT);
        switch (prefer) {
            case "namenode":
                return Optional.empty();
            case "c3":
                return Optional.of(
                        Path.of(
                                conf.getTrimmed(
                                        DuplicateReadKeys.MEMORY,
                                        DuplicateReadKeys.MEMORY_DEFAULT)));
            default:
                throw bad(DuplicateReadKeys.PREFER, prefer, "there are namenode, c3");
        }
    }

    private static Optional<Duration> stageWait(Configuration conf) {
        String primary =
                conf.getTrimmed(DuplicateReadKeys.PRIMARY, DuplicateReadKeys.PRIMARY_DEFAULT);
        switch (primary) {
            case "direct":
                return Optional.empty();
            case "stage":
                break;
            default:
                throw bad(DuplicateReadKeys.PRIMARY, primary, "there are direct, stage");
        }
        String key = DuplicateReadKeys.STAGE_WAIT;
        Duration wait = time(conf, key, DuplicateReadKeys.STAGE_WAIT_DEFAULT);
        if (wait.toMillis() < 1 || wait.toMillis() > Integer.MAX_VALUE) {
            throw bad(key, conf.get(key), "give it 1ms at least");
        }
        return Optional.of(wait);
    }

    private static int window(Configuration conf) {
        String key = DuplicateReadKeys.WINDOW;
        long window = 0;
        try {
            window =
                    StringUtils.TraditionalBinaryPrefix.string2long(
                            conf.getTrimmed(key, DuplicateReadKeys.WINDOW_DEFAULT));
        } catch (IllegalArgumentException e) {
            // As any other that makes no sense.
        }
        if (window < 1 || window > MOST_WINDOW) {
            throw bad(key, conf.get(key), "give it 1 to 1g");
        }
        return (int) window;
    }

    private static int threads(Configuration conf) {
        String key = DuplicateReadKeys.THREADS;
        int threads = 0;
        try {
            threads = conf.getInt(key, DuplicateReadKeys.THREADS_DEFAULT);
        } catch (NumberFormatException e) {
            // The same.
        }
        if (threads < 1) {
            throw bad(key, conf.get(key), "give it a number, 1 at least");
        }
        return threads;
    }

    private static Policy policy(Configuration conf) {
        String name = conf.getTrimmed(DuplicateReadKeys.POLICY, DuplicateReadKeys.POLICY_DEFAULT);
        Duration delay = time(conf, DuplicateReadKeys.DELAY, DuplicateReadKeys.DELAY_DEFAULT);
        Duration threshold =
                time(conf, DuplicateReadKeys.THRESHOLD, DuplicateReadKeys.THRESHOLD_DEFAULT);
        switch (name) {
            case "off":
            case "single":
                return Policy.single();
            case "cloning":
                return Policy.cloning();
            case "hedged":
                return Policy.hedged(threshold);
            case "app-timeout":
                return Policy.appTimeout(threshold);
            case "tied":
                return Policy.tied();
            case "das":
                return Policy.das(delay);
            default:
                throw bad(
                        DuplicateReadKeys.POLICY, name, "there are " + String.join(", ", POLICIES));
        }
    }

    private static Duration time(Configuration conf, String key, String preset) {
        long nanos;
        try {
            nanos = conf.getTimeDuration(key, preset, TimeUnit.MILLISECONDS, TimeUnit.NANOSECONDS);
        } catch (NumberFormatException e) {
            throw bad(key, conf.get(key), "give it a time, '1ms' for example");
        }
        if (nanos < 0) {
            throw bad(key, conf.get(key), "it can't be negative");
        }
        return Duration.ofNanos(nanos);
    }

    private static IllegalArgumentException bad(String key, String value, String remedy) {
        return new IllegalArgumentException(key + " is '" + value + "': " + remedy);
    }

    /** That of the duplicate. */
    Policy.Duplicate duplicate() {
        return policy.duplicates().get(0);
    }
}
