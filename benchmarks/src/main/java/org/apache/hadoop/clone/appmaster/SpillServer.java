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
package org.apache.hadoop.clone.appmaster;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.clonehadoop.benchmarks.polls.JobAccess;

/** An AppMaster's spill service in a process of its own. All maps run on the same host. */
public final class SpillServer {
    private static final int SHUFFLE_PORT = 13562;

    private SpillServer() {}

    /** FILE: writes there how to reach it, and serves. */
    public static void main(String[] arguments) throws Exception {
        TaskAttempt attempt =
                StandIn.of(
                        TaskAttempt.class,
                        Map.of(
                                "getNodeHttpAddress", a -> "localhost:8042",
                                "getShufflePort", a -> SHUFFLE_PORT));
        Task task = StandIn.of(Task.class, Map.of("getAttempt", a -> attempt));
        Job job = StandIn.of(Job.class, Map.of("getTask", a -> task));
        SpillService service =
                new SpillService(
                        "localhost", StandIn.of(AppContext.class, Map.of("getJob", a -> job)));
        Configuration conf = new Configuration();
        conf.setBoolean(MRJobConfig.MR_AM_JOB_RECOVERY_ENABLE, false); // it has no job's directory
        service.init(conf);
        service.start();
        JobAccess access = JobAccess.to(service.address());
        service.accept(access.job(), access.token());
        access.write(Path.of(arguments[0]));
    }
}
