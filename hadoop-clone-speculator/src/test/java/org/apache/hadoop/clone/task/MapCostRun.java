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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.shuffle.SpillCollector;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * For benchmarks/map-cost: one map from its JVM's start to its end, as stock Hadoop runs it or as
 * CloneHadoop does, while nothing is done for it. This process is the AppMaster, and removes the
 * directory in the end.
 *
 * <pre>
 * MapCostRun REPORT.json NEW-DIRECTORY stock|clones|spills RECORDS SORT-MB JVM-OPTIONS METER
 * </pre>
 */
public final class MapCostRun {
    /** What our launcher gives a map with per-spill outputs whose job doesn't say how it begins. */
    private static final String SMALL_HEAP = "-Xms64m";

    private static final long PATIENCE_SECONDS = 1800;

    private static final Pattern STOCK_SPILL = Pattern.compile("Finished spill \\d+");

    private MapCostRun() {}

    /** Writes one JSON object. */
    public static void main(String[] arguments) throws Exception {
        Path report = Path.of(arguments[0]);
        Path directory = Path.of(arguments[1]);
        String kind = arguments[2];
        CostMeter meter = CostMeter.of(arguments[6]);
        JobConf job = GeneratedInput.job(Integer.parseInt(arguments[4]));
        job.setLong(GeneratedInput.RECORDS, Long.parseLong(arguments[3]));
        try (TaskJvm map = new TaskJvm(directory);
                StandInAppMaster appMaster = new StandInAppMaster(map.task());
                SpillServer spills =
                        new SpillServer(TaskJvm.ATTEMPT.getJobID().toString(), appMaster.token())) {
            Runtime.getRuntime().addShutdownHook(new Thread(map::close));
            map.options = new ArrayList<>(List.of(arguments[5].split(" ")));
            map.options.addAll(meter.jvmOptions);
            map.stock = kind.equals("stock");
            List<String> before = new ArrayList<>(meter.command);
            if (kind.equals("spills")) {
                map.options.add(SMALL_HEAP);
                before.addAll(List.of("env", SpillProtocol.ADDRESS + "=" + spills.address()));
                job.set(
                        MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR,
                        SpillCollector.class.getName());
            }
            long start = System.nanoTime();
            map.start(appMaster, job, before);
            if (map.exitCode(PATIENCE_SECONDS) != 0 || !appMaster.done.contains(TaskJvm.ATTEMPT)) {
                throw new IOException("the map failed: " + map.log());
            }
            ObjectNode result = new ObjectMapper().createObjectNode();
            result.put("elapsed_ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
            result.put(meter.key(), meter.read(map.work));
            long finished = STOCK_SPILL.matcher(map.log()).results().count();
            result.put("spills", Math.max(finished, spills.publishedBy(TaskJvm.ATTEMPT)));
            Files.writeString(report, result.toString());
        }
        FileUtil.fullyDelete(directory.toFile());
        System.exit(0); // Hadoop's threads would go on
    }
}
