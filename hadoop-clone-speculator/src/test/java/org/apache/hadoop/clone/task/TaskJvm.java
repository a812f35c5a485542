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

import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.apache.hadoop.clone.protocol.CloneProtocol;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.CloneableChild;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.ReduceTask;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.security.Credentials;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * A container of a task: Hadoop's own YarnChild in a JVM of its own with our agent, in directories
 * like a NodeManager's.
 */
final class TaskJvm implements AutoCloseable {
    static final TaskAttemptID ATTEMPT = new TaskAttemptID("1700000000000", 7, TaskType.MAP, 3, 0);
    static final String CONTAINER = "container_1700000000000_0007_01_000002";

    static final TaskAttemptID REDUCE =
            new TaskAttemptID("1700000000000", 7, TaskType.REDUCE, 1, 0);

    /** Of jobs that encrypt their spills. */
    static final byte[] SPILL_KEY = new byte[16];

    private static final long LONG_SECONDS = 60;

    final Path work;
    final Path local;
    final Path logs;
    private final Path root;
    private final TaskAttemptID attempt;
    private final Path agentJar;

    /** Heap and compiler of the JVM that will be started. */
    List<String> options = List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** The address of its NodeManager. */
    String host = "127.0.0.1";

    /** Whether it is started as Hadoop itself does it, without anything of ours. */
    boolean stock;

    private String classPath = System.getProperty("java.class.path");
    private Process process;

    /**
     * @param root an empty directory
     */
    TaskJvm(Path root) throws IOException {
        this(root, ATTEMPT);
    }

    TaskJvm(Path root, TaskAttemptID attempt) throws IOException {
        this.root = root;
        this.attempt = attempt;
        local = Files.createDirectories(root.resolve("local"));
        work = Files.createDirectories(local.resolve(CONTAINER));
        logs = Files.createDirectories(root.resolve("logs"));
        agentJar = jarOfAgent(root.resolve("agent.jar"), "Agent-Class", CloneAgent.class);
    }

    /** A map of {@link CountedInput} with two reduces, which spills often. */
    static JobConf job() {
        JobConf job = new JobConf(false);
        job.addResource("core-default.xml");
        job.addResource("mapred-default.xml");
        job.set("fs.defaultFS", "file:///");
        job.setNumReduceTasks(2);
        job.setBoolean("mapred.mapper.new-api", true);
        job.setClass(
                MRJobConfig.INPUT_FORMAT_CLASS_ATTR,
                CountedInput.class,
                org.apache.hadoop.mapreduce.InputFormat.class);
        job.setMapOutputKeyClass(LongWritable.class);
        job.setMapOutputValueClass(Text.class);
        job.setInt(MRJobConfig.IO_SORT_MB, 1);
        job.setFloat(MRJobConfig.MAP_SORT_SPILL_PERCENT, 0.05f);
        job.setLong(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, 20);
        return job;
    }

    /** The same for Hadoop's old API. */
    static JobConf oldJob() {
        JobConf job = job();
        job.setBoolean("mapred.mapper.new-api", false);
        job.setInputFormat(OldCountedInput.class);
        return job;
    }

    /** The map itself, as an AppMaster gives it out. */
    MapTask task() throws IOException {
        return task(new CountedInput.Split());
    }

    /**
     * @param split of the new API
     */
    MapTask task(Writable input) throws IOException {
        Path split = root.resolve("job.split");
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(split))) {
            Text.writeString(out, input.getClass().getName());
            input.write(out);
        }
        MapTask task =
                new MapTask(
                        MRJobConfig.JOB_CONF_FILE,
                        ATTEMPT,
                        ATTEMPT.getTaskID().getId(),
                        new TaskSplitIndex(split.toUri().toString(), 0),
                        1);
        Fields.set(task, "user", System.getProperty("user.name"));
        return task;
    }

    /** The reduce, of a job with so many maps. */
    static ReduceTask reduce(int maps) {
        ReduceTask task =
                new ReduceTask(
                        MRJobConfig.JOB_CONF_FILE, REDUCE, REDUCE.getTaskID().getId(), maps, 1);
        Fields.set(task, "user", System.getProperty("user.name"));
        return task;
    }

    /** Takes a jar from the class path of the JVM that will be started. */
    void withoutJar(String name) {
        classPath =
                Arrays.stream(classPath.split(File.pathSeparator))
                        .filter(entry -> !Path.of(entry).getFileName().toString().startsWith(name))
                        .collect(Collectors.joining(File.pathSeparator));
    }

    /** Puts a directory before everything else there. */
    void withOnClassPath(Path directory) {
        classPath = directory + File.pathSeparator + classPath;
    }

    /** Gives the JVM that will be started Hadoop's native library. */
    void withNativeIo() {
        options = new ArrayList<>(options);
        options.add(NativeIo.LIBRARY_PATH);
        classPath = NativeIo.with(classPath);
    }

    /** Gives the JVM that will be started an agent from its beginning. */
    void withAgent(Class<?> agent) throws IOException {
        options = new ArrayList<>(options);
        options.add(
                "-javaagent:" + jarOfAgent(root.resolve("own-agent.jar"), "Premain-Class", agent));
    }

    /** Starts YarnChild. */
    void start(StandInAppMaster appMaster, JobConf job, List<String> before) throws IOException {
        try (OutputStream out = Files.newOutputStream(work.resolve(MRJobConfig.JOB_CONF_FILE))) {
            job.writeXml(out);
        }
        Credentials credentials = new Credentials();
        TokenCache.setJobToken(appMaster.token(), credentials);
        TokenCache.setEncryptedSpillKey(SPILL_KEY, credentials);
        Path tokens = work.resolve("container_tokens");
        credentials.writeTokenStorageFile(
                new org.apache.hadoop.fs.Path(tokens.toUri()), new Configuration(false));
        List<String> command = new ArrayList<>(before);
        // As a NodeManager starts its containers; and CRIU can't name a session from outside of its
        // PID namespace, which the tests' own may be.
        command.add("setsid");
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        command.add("-Dlog4j.configuration=" + log4j().toUri());
        command.add("-cp");
        command.add(classPath);
        if (!stock) {
            command.add("-D" + CloneAgent.JAR + "=" + agentJar);
            command.add("-XX:-UsePerfData");
            command.add("-XX:+UnlockDiagnosticVMOptions");
            command.add("-XX:ArchiveRelocationMode=0");
            command.add(CloneableChild.class.getName());
        }
        command.add("org.apache.hadoop.mapred.YarnChild");
        command.add(appMaster.umbilical().getAddress().getHostAddress());
        command.add(Integer.toString(appMaster.umbilical().getPort()));
        command.add(attempt.toString());
        command.add("2");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(work.toFile())
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(logs.resolve("stdout").toFile())
                        .redirectError(logs.resolve("stderr").toFile());
        builder.environment().clear();
        builder.environment().putAll(environment());
        if (!stock) {
            builder.environment().put(CloneProtocol.ADDRESS, appMaster.address());
        }
        process = builder.start();
    }

    private Map<String, String> environment() {
        return Map.of(
                "PATH",
                System.getenv("PATH"),
                "USER",
                System.getProperty("user.name"),
                "LOCAL_DIRS",
                local.toString(),
                "LOG_DIRS",
                logs.toString(),
                "CONTAINER_ID",
                CONTAINER,
                "NM_HOST",
                host,
                "HADOOP_TOKEN_FILE_LOCATION",
                work.resolve("container_tokens").toString());
    }

    /** Only a manifest: its classes are on the class path. */
    static Path jarOfAgent(Path jar, String attribute, Class<?> agent) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue(attribute, agent.getName());
        attributes.putValue("Can-Retransform-Classes", "true");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    private Path log4j() throws IOException {
        return Files.write(
                root.resolve("log4j.properties"),
                List.of(
                        "log4j.rootLogger=INFO,file",
                        "log4j.appender.file=org.apache.log4j.FileAppender",
                        "log4j.appender.file.file=" + logs.resolve("syslog"),
                        "log4j.appender.file.layout=org.apache.log4j.PatternLayout",
                        "log4j.appender.file.layout.ConversionPattern=%d %p [%t] %c: %m%n"));
    }

    /** The number of the last record that was read, 0 before the first. */
    long position() throws IOException {
        return positionIn(work);
    }

    static long positionIn(Path work) throws IOException {
        Path file = work.resolve(CountedInput.POSITION);
        if (!Files.exists(file)) {
            return 0;
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            return in.length() < Long.BYTES ? 0 : in.readLong();
        }
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    /** Has the map do what its job says it does besides, and waits until it is done. */
    void doBesides() throws IOException {
        Path now = Files.createFile(work.resolve(CountedInput.NOW));
        await().until(() -> !Files.exists(now));
        long position = position();
        await().until(() -> !isAlive() || position() > position + 100);
    }

    /** Lets a reduce sort at its full speed. */
    void hurry() throws IOException {
        Files.createFile(work.resolve(SlowOrder.HURRY));
    }

    /** Whether a {@link SlowOrder} has begun to sort. */
    boolean sorts() {
        return Files.exists(work.resolve(SlowOrder.SORTS));
    }

    /** Lets the map's input end. */
    void endInput() throws IOException {
        Files.createFile(work.resolve(CountedInput.END));
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the JVM's end. */
    int exitCode() throws IOException, InterruptedException {
        return exitCode(LONG_SECONDS);
    }

    int exitCode(long seconds) throws IOException, InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new AssertionError("the task doesn't end: " + log());
        }
        return process.exitValue();
    }

    /** All that it said. */
    String log() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String name : List.of("stdout", "stderr", "syslog")) {
            Path file = logs.resolve(name);
            if (Files.exists(file)) {
                all.append(Files.readString(file, StandardCharsets.UTF_8));
            }
        }
        return all.toString();
    }

    @Override
    public void close() {
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
        }
    }
}
