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
package org.apache.hadoop.clone.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneLimits;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * For benchmarks/map-clone: one map with per-spill outputs, cloned once, by the real tool. This
 * process is the AppMaster and starts the map beside itself; pull's command is begun with what
 * leads to the other host.
 *
 * <pre>
 * MapCloneRun REPORT.json DIRECTORY TOOL ADDRESS PATIENCE JVM-OPTIONS [PULL-PREFIX...]
 * </pre>
 */
public final class MapCloneRun implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(180);
    private static final CloneLimits LIMITS = new CloneLimits(LIMIT.toMillis(), LIMIT.toMillis());
    private static final long CLONE = 1;
    private static final byte[] NONCE = new byte[OneTimeKey.NONCE_BYTES];
    private static final TaskAttemptID CLONED = new TaskAttemptID(TaskJvm.ATTEMPT.getTaskID(), 1);

    /**
     * After these each buffer has been full at least once, and the map is in its larger one, as it
     * mostly is.
     */
    private static final int SPILLS_BEFORE = 4;

    private static final int SORT_MEGABYTES = 256;

    /** Some 40 MB of records per second. */
    private static final int RECORDS_PER_PAUSE = 400;

    private static final Pattern SHRUNK = Pattern.compile("MB in memory, \\d+ MB (\\d+) ms ago");

    private final TaskJvm original;
    private final CloneContainer clone;
    private final StandInAppMaster appMaster;
    private final SpillServer spills;

    private MapCloneRun(Path directory, String host) throws IOException {
        original = new TaskJvm(directory.resolve("original"));
        clone = new CloneContainer(directory.resolve("clone"));
        appMaster = new StandInAppMaster(original.task(), host);
        spills = new SpillServer(TaskJvm.ATTEMPT.getJobID().toString(), appMaster.token(), host);
    }

    /** Writes one JSON object. */
    public static void main(String[] arguments) throws Exception {
        List<String> words = List.of(arguments);
        Path tool = Path.of(words.get(2));
        String host = words.get(3);
        ObjectNode report;
        try (MapCloneRun run = new MapCloneRun(Path.of(words.get(1)), host)) {
            Runtime.getRuntime().addShutdownHook(new Thread(run::close));
            run.original.host = host;
            run.original.options = List.of(words.get(5).split(" "));
            run.clone.before = words.subList(6, words.size());
            run.start(tool, words.get(4));
            report = run.cloneOnce(tool);
        }
        Files.writeString(Path.of(words.get(0)), report.toString());
        System.exit(0); // Hadoop's threads would go on
    }

    private void start(Path tool, String patience) throws IOException {
        JobConf job = GeneratedInput.job(SORT_MEGABYTES);
        job.setInt(GeneratedInput.RECORDS_PER_PAUSE, RECORDS_PER_PAUSE);
        job.set(CloneKeys.TOOL, tool.toString());
        job.set(CloneKeys.BOUNDARY_PATIENCE, patience);
        job.set(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, SpillCollector.class.getName());
        original.start(
                appMaster, job, List.of("env", SpillProtocol.ADDRESS + "=" + spills.address()));
    }

    private ObjectNode cloneOnce(Path tool) throws Exception {
        await(() -> spills.publishedBy(TaskJvm.ATTEMPT) >= SPILLS_BEFORE);
        appMaster.expected = new CloneIdentity(CLONED, CloneContainer.CONTAINER, original.host);
        appMaster.order(CloneOrder.offer(1, CLONE, NONCE, LIMITS));
        CloneAnswer offered = answer(CloneAnswer.Kind.OFFERED);
        clone.pull(tool, offered, OneTimeKey.of(appMaster.token().getPassword(), CLONE, NONCE));
        CloneAnswer sent = answer(CloneAnswer.Kind.SENT);
        long before = spills.publishedBy(TaskJvm.ATTEMPT);
        await(() -> spills.publishedBy(CLONED) > 0);
        await(() -> spills.publishedBy(TaskJvm.ATTEMPT) > before);
        clone.close();
        ObjectMapper mapper = new ObjectMapper();
        JsonNode pulled = mapper.readTree(clone.report().toFile());
        ObjectNode report = mapper.createObjectNode();
        report.put("gate_ms", sent.gateMillis());
        for (String key : List.of("freeze_ms", "image_bytes", "total_ms", "transfer_ms")) {
            report.set(key, pulled.path(key));
        }
        report.put("held_ms", last(SHRUNK) + sent.gateMillis());
        report.put("shrink_ms", last(SHRUNK));
        report.put("at_boundary", SHRUNK.matcher(original.log()).find());
        return report;
    }

    private CloneAnswer answer(CloneAnswer.Kind kind) throws Exception {
        await(() -> !appMaster.answers.isEmpty());
        CloneAnswer answer = appMaster.answer();
        if (answer.kind() != kind) {
            throw new IOException(answer + "\n" + original.log() + clone.log());
        }
        return answer;
    }

    /** The number in the last line of the original that has it, 0 if there is none. */
    private long last(Pattern line) throws IOException {
        Matcher matcher = line.matcher(original.log());
        long last = 0;
        while (matcher.find()) {
            last = Long.parseLong(matcher.group(1));
        }
        return last;
    }

    private void await(Callable<Boolean> condition) throws IOException {
        try {
            Awaitility.await().atMost(LIMIT).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new IOException("waited in vain\n" + original.log() + clone.log(), e);
        }
    }

    @Override
    public void close() {
        original.close();
        clone.close();
        appMaster.close();
        spills.close();
    }
}
