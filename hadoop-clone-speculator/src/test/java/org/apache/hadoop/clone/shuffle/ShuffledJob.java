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
package org.apache.hadoop.clone.shuffle;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.clone.protocol.SpillUpdates;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TestMap;
import org.apache.hadoop.mapred.TestReduce;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;

/**
 * Maps and reduces of a job in this JVM, with the real collector, registry, ShuffleHandler and
 * shuffle between them.
 */
final class ShuffledJob implements AutoCloseable {
    private static final String CLUSTER = "1700000000000";
    private static final String USER = "somebody";
    private static final ApplicationId APPLICATION =
            ApplicationId.newInstance(Long.parseLong(CLUSTER), 1);

    private final JobConf job;
    private final Path dir;
    private final Path outputs;
    private final Token<JobTokenIdentifier> token;
    private final Handler handler = new Handler();
    private final SpillRegistry registry = new SpillRegistry();
    private final ScheduledExecutorService answers = Executors.newSingleThreadScheduledExecutor();
    private final SpillQuestions questions = new SpillQuestions(registry, answers, 1);
    private final UnreliableNetwork network;
    private int reduces;
    private TestReduce reduce;

    /**
     * @param bytes how many of the ShuffleHandler's answers on a connection come through, by the
     *     connection's number
     */
    ShuffledJob(JobConf job, Path dir, IntUnaryOperator bytes) throws IOException {
        this.job = job;
        this.dir = dir;
        outputs =
                Files.createDirectories(
                        dir.resolve("usercache/" + USER + "/appcache/" + APPLICATION));
        token =
                new Token<>(
                        new JobTokenIdentifier(new Text("job_" + CLUSTER + "_0001")),
                        new JobTokenSecretManager());
        network = new UnreliableNetwork(startHandler(), bytes);
        handler.context.port = network.port();
    }

    /** The NodeManager's part. */
    private final class LocalPaths implements AuxiliaryLocalPathHandler {
        private org.apache.hadoop.fs.Path find(String path) {
            return new org.apache.hadoop.fs.Path(dir.resolve(path).toString());
        }

        @Override
        public org.apache.hadoop.fs.Path getLocalPathForRead(String path) throws IOException {
            if (!Files.exists(dir.resolve(path))) {
                throw new FileNotFoundException(path);
            }
            return find(path);
        }

        @Override
        public org.apache.hadoop.fs.Path getLocalPathForWrite(String path) {
            return find(path);
        }

        @Override
        public org.apache.hadoop.fs.Path getLocalPathForWrite(String path, long size) {
            return find(path);
        }

        @Override
        public Iterable<org.apache.hadoop.fs.Path> getAllLocalPathsForRead(String path) {
            return List.of(find(path));
        }
    }

    /** What it signs holds its port, and is to hold that which clients know. */
    private static final class Handler extends ShuffleHandler {
        private ShuffleChannelHandlerContext context;

        @Override
        protected ShuffleChannelHandlerContext createHandlerContext() {
            context = super.createHandlerContext();
            return context;
        }
    }

    private int startHandler() throws IOException {
        Configuration conf = new Configuration();
        conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, 0);
        conf.set(YarnConfiguration.NM_LOCAL_DIRS, dir.toString());
        handler.setAuxiliaryLocalPathHandler(new LocalPaths());
        handler.init(conf);
        handler.start();
        handler.initializeApplication(
                new ApplicationInitializationContext(
                        USER, APPLICATION, ShuffleHandler.serializeServiceData(token)));
        return ShuffleHandler.deserializeMetaData(handler.getMetaData());
    }

    private static TaskAttemptID attempt(TaskType type, int task, int attempt) {
        return new TaskAttemptID(CLUSTER, 1, type, task, attempt);
    }

    /** An attempt of a map, from its first record until it has published all. */
    void map(int map, int attempt, CollectedMap.Records records) throws Exception {
        TaskAttemptID id = attempt(TaskType.MAP, map, attempt);
        TestMap task = new TestMap(new JobConf(job), outputs, id);
        PerSpillCollector<Text, BytesWritable> collector =
                new PerSpillCollector<>(new BufferPlan(1, 0.8f), sink(id));
        collector.init(task.context());
        records.into(collector);
        task.recordsRead();
        collector.flush();
        collector.close();
    }

    private SpillSink sink(TaskAttemptID map) {
        return new SpillSink() {
            @Override
            public void finished(SpillNotice notice) throws IOException {
                registry.finished(map, notice, "http://127.0.0.1:" + network.port());
                questions.spills();
            }

            @Override
            public void ended(int spills, long chain) {
                registry.ended(map, spills, chain);
            }
        };
    }

    /** After so long a run that no reduce is taken for stalled while the test lasts. */
    void succeeded(int map, int attempt) {
        int runMillis = (int) TimeUnit.HOURS.toMillis(1);
        if (!registry.succeeded(attempt(TaskType.MAP, map, attempt), runMillis)) {
            throw new IllegalStateException("it has published nothing");
        }
        questions.ended();
    }

    void failed(int map, int attempt) {
        registry.failed(attempt(TaskType.MAP, map, attempt));
        questions.ended();
    }

    /** A reduce's input, in its order: keys with the lengths of their values. */
    List<String> reduce(int partition) throws Exception {
        reduce =
                new TestReduce(
                        new JobConf(job),
                        Files.createDirectory(dir.resolve("reduce" + reduces)),
                        attempt(TaskType.REDUCE, partition, reduces++),
                        JobTokenSecretManager.createSecretKey(token.getPassword()));
        PerSpillShuffle<Text, BytesWritable> shuffle = new PerSpillShuffle<>(new AppMaster());
        shuffle.init(reduce.context());
        RawKeyValueIterator records = shuffle.run();
        List<String> all = new ArrayList<>();
        Text key = new Text();
        BytesWritable value = new BytesWritable();
        while (records.next()) {
            key.readFields(at(records.getKey()));
            value.readFields(at(records.getValue()));
            all.add(key + " " + value.getLength());
        }
        records.close();
        shuffle.close();
        return all;
    }

    /** Of a segment in memory it is the whole, at some position. */
    private static DataInputBuffer at(DataInputBuffer raw) {
        DataInputBuffer in = new DataInputBuffer();
        in.reset(raw.getData(), raw.getPosition(), raw.getLength() - raw.getPosition());
        return in;
    }

    /** The last reduce, for its counters. */
    TestReduce lastReduce() {
        return reduce;
    }

    int cuts() {
        return network.cuts();
    }

    /** Without a way to it: calls are answered where they are made. */
    private final class AppMaster implements SpillProtocol {
        @Override
        public void spillFinished(TaskAttemptID map, SpillNotice notice) {
            throw new UnsupportedOperationException("reduces have no spills");
        }

        @Override
        public void spillsEnded(TaskAttemptID map, int spills, long chain) {
            throw new UnsupportedOperationException("reduces have no spills");
        }

        @Override
        public SpillUpdates spillUpdates(TaskAttemptID asking, int from) throws IOException {
            CompletableFuture<List<SpillUpdate>> answer = new CompletableFuture<>();
            questions.ask(asking, from, answer::complete);
            try {
                return new SpillUpdates(answer.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // as Hadoop's client does
                throw new InterruptedIOException("interrupted");
            } catch (ExecutionException e) {
                throw new IOException(e);
            }
        }

        @Override
        public void startAgain(TaskAttemptID asking) {
            throw new UnsupportedOperationException("no spill is void here");
        }

        @Override
        public boolean startElsewhere(TaskAttemptID reduce, String why) {
            throw new UnsupportedOperationException("every reduce can fetch here");
        }
    }

    @Override
    public void close() throws IOException {
        answers.shutdownNow();
        network.close();
        handler.stop();
    }
}
