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
package org.clonehadoop.benchmarks.coverage;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.clone.appmaster.CloneAppMaster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.ClassUtil;
import org.clonehadoop.report.Attempt;
import org.clonehadoop.report.History;
import org.clonehadoop.report.Job;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the kinds of jobs whose names come on standard input, a line each, as stock does and with
 * clones, and answers each with a line of JSON, in the order in which they end. What stock makes of
 * a kind is asked once.
 */
@Command(name = "run-kinds")
final class RunKinds implements Callable<Integer> {
    private static final String AM_OPTIONS = "yarn.app.mapreduce.am.command-opts";

    private static final List<String> COUNTERS =
            List.of(
                    "MAP_INPUT_RECORDS",
                    "MAP_OUTPUT_RECORDS",
                    "REDUCE_INPUT_GROUPS",
                    "REDUCE_OUTPUT_RECORDS");

    private static final int READS = 12;

    @Option(names = "--list", description = "Only prints the names of all kinds.")
    private boolean list;

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "mapred-site.xml of jobs with clones")
    private File conf;

    @Option(
            names = "--hosts",
            paramLabel = "DIR",
            description = "the cluster's, with what they log")
    private File hosts;

    @Option(names = "--jars", split = ",", paramLabel = "JAR", description = "that all tasks get")
    private List<File> jars;

    @Option(
            names = "--local",
            description =
                    "Has stock's jobs run in this process: much quicker, but counters aren't compared.")
    private boolean local;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            defaultValue = "1",
            description = "how many kinds at once")
    private int atOnce;

    @Option(
            names = "--crawl",
            paramLabel = "ATTEMPTS",
            defaultValue = "m_000000_0,r_000000_0",
            description = "which attempts of the jobs with clones crawl")
    private String crawlers;

    @Option(names = "-D", paramLabel = "KEY=VALUE", description = "Of all jobs.")
    private Map<String, String> more = Map.of();

    private final ObjectMapper mapper = new ObjectMapper();
    private final Map<String, Run> ofStock = new ConcurrentHashMap<>();
    private final AtomicInteger runs = new AtomicInteger();
    private History history;
    private Applications applications;
    private PrintStream answers;

    /**
     * What a kind's jobs came to, of which the history may lack some; no output is an empty one.
     */
    private record Run(
            Optional<String> failure,
            List<String> ids,
            List<Job> jobs,
            SortedMap<String, String> output,
            SortedMap<String, Long> counters) {
        double seconds() {
            return jobs.stream().mapToDouble(Job::seconds).sum();
        }

        boolean hasReduces() {
            return jobs.stream()
                    .flatMap(job -> job.attempts().stream())
                    .map(Attempt::type)
                    .anyMatch("REDUCE"::equals);
        }
    }

    @Override
    public Integer call() throws Exception {
        if (list) {
            Kinds.ALL.forEach(kind -> System.out.println(kind.name()));
            return 0;
        }
        // Programs talk on standard output.
        answers = System.out;
        System.setOut(System.err);
        history = new History(URI.create("http://h0:19888"));
        new Inputs(new Configuration()).make();
        ExecutorService pool = Executors.newFixedThreadPool(atOnce);
        try (Applications ofCluster = new Applications(new Configuration())) {
            applications = ofCluster;
            answers.println("{}");
            BufferedReader names =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String name = names.readLine(); name != null; name = names.readLine()) {
                Kind kind = Kinds.named(name);
                pool.execute(() -> answer(kind));
            }
            pool.shutdown();
            pool.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        }
        return 0;
    }

    /** Who waits for it would wait forever. */
    private void answer(Kind kind) {
        String answer;
        try {
            answer = mapper.writeValueAsString(compare(kind));
        } catch (Exception e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
            return;
        }
        synchronized (answers) {
            answers.println(answer);
            answers.flush();
        }
    }

    private Run ofStock(Kind kind) throws Exception {
        // Two of Hadoop's LocalJobRunner would link files of the same names into one directory.
        synchronized (local ? ofStock : kind) {
            Run known = ofStock.get(kind.name());
            if (known == null) {
                known = run(kind, stock());
                ofStock.put(kind.name(), known);
            }
            return known;
        }
    }

    private ObjectNode compare(Kind kind) throws Exception {
        Run stock = ofStock(kind);
        Run clones = run(kind, clones());
        ObjectNode answer = mapper.createObjectNode();
        answer.put("kind", kind.name());
        kind.foreign().ifPresent(foreign -> answer.put("foreign", foreign));
        kind.lost().ifPresent(lost -> answer.put("lost", lost));
        stock.failure().ifPresent(failure -> answer.put("stock_failure", failure));
        clones.failure().ifPresent(failure -> answer.put("failure", failure));
        answer.put("stock_s", stock.seconds());
        answer.put("clone_s", clones.seconds());
        answer.put(
                "identical", clones.failure().isEmpty() && stock.output().equals(clones.output()));
        if (!local && kind.order() != Kind.Order.NONE) {
            answer.put("same_counters", stock.counters().equals(clones.counters()));
            answer.put("counters", stock.counters() + ", with clones " + clones.counters());
        }
        answer.set("map", clones(clones, "m"));
        if (clones.hasReduces()) {
            answer.set("reduce", clones(clones, "r"));
        }
        // By the jobs' counters: a NodeManager that is started again has removed its logs.
        answer.put("clones_counted", clones.jobs().stream().mapToLong(Job::clonesLaunched).sum());
        clones.ids().forEach(answer.putArray("jobs")::add);
        return answer;
    }

    private ObjectNode clones(Run run, String type) throws IOException {
        AppMasterLog.Clones all = AppMasterLog.NONE;
        for (String id : run.ids()) {
            all = all.plus(AppMasterLog.read(AppMasterLog.linesOf(hosts.toPath(), id), type));
        }
        ObjectNode node =
                mapper.createObjectNode()
                        .put("ran", all.ran())
                        .put("won", all.won())
                        .put("died", all.died())
                        .put("in_vain", all.inVain());
        all.why().ifPresent(why -> node.put("why", why));
        return node;
    }

    private Run run(Kind kind, Configuration settings) throws Exception {
        String name = kind.name() + "-" + runs.incrementAndGet();
        Path out = new Path("/coverage/out", name);
        settings.set(MRJobConfig.JOB_TAGS, name);
        Optional<String> failure = Optional.empty();
        try {
            kind.body().run(settings, out);
        } catch (Exception | LinkageError e) {
            failure = Optional.of(e.toString());
        }
        List<Job> done = new ArrayList<>();
        List<String> ids = applications.jobs(name);
        for (String id : ids) {
            try {
                done.add(history.job(id));
            } catch (TimeoutException e) {
                failure = failure.or(() -> Optional.of(e.toString()));
            }
        }
        SortedMap<String, String> output = outputs(kind, settings, out);
        FileSystem.get(settings).delete(out, true);
        return new Run(failure, ids, done, output, counters(done));
    }

    /** A DataNode that is just started again has nothing to read. */
    private SortedMap<String, String> outputs(Kind kind, Configuration settings, Path out)
            throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return new Outputs(settings).checksums(out, kind.order());
            } catch (FileNotFoundException none) {
                return new TreeMap<>();
            } catch (IOException e) {
                if (attempt == READS) {
                    throw e;
                }
                TimeUnit.SECONDS.sleep(5);
            }
        }
    }

    private static SortedMap<String, Long> counters(List<Job> jobs) {
        SortedMap<String, Long> sums = new TreeMap<>();
        for (Job job : jobs) {
            for (String counter : COUNTERS) {
                sums.merge(counter, job.counters().getOrDefault(counter, 0L), Long::sum);
            }
        }
        return sums;
    }

    private Configuration stock() {
        Configuration settings = common();
        if (local) {
            settings.set("mapreduce.framework.name", "local");
        }
        return settings;
    }

    /** Both sides have these, so that outputs and counters can be the same. */
    private Configuration common() {
        Configuration settings = new Configuration();
        settings.set(
                "tmpjars",
                jars.stream().map(File::toURI).map(URI::toString).collect(Collectors.joining(",")));
        settings.setInt("mapreduce.job.reduces", 2);
        settings.setInt("mapreduce.task.io.sort.mb", 16);
        // Asked every five seconds, a job seems to take as much longer.
        settings.setInt("mapreduce.client.completion.pollinterval", 500);
        // Reduces that wait would have the containers of the clones.
        settings.set("mapreduce.job.reduce.slowstart.completedmaps", "1");
        for (String key :
                List.of(
                        "mapreduce.admin.map.child.java.opts",
                        "mapreduce.admin.reduce.child.java.opts",
                        "yarn.app.mapreduce.am.admin-command-opts")) {
            settings.set(key, "-XX:TieredStopAtLevel=1");
        }
        more.forEach(settings::set);
        return settings;
    }

    /** The overlay's options end in the AppMaster's class. */
    private static String eager(String options) {
        return options.replace(CloneAppMaster.class.getName(), EagerAppMaster.class.getName());
    }

    private Configuration clones() {
        Configuration settings = common();
        settings.addResource(new Path(conf.toURI()));
        settings.set(Crawl.ATTEMPTS, crawlers);
        settings.set(AM_OPTIONS, eager(settings.get(AM_OPTIONS)));
        // A job with a class loader of its own has what it brings along in no AppMaster's class
        // path.
        settings.set(
                MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH,
                settings.get(MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH)
                        + ","
                        + ClassUtil.findContainingJar(EagerAppMaster.class));
        // Whatever the kind before took.
        settings.set("mapreduce.clone.vm-millis", "1");
        settings.set("mapreduce.clone.bandwidth-per-second", "100g");
        settings.set("mapreduce.clone.remember-costs", "false");
        settings.set("mapreduce.clone.gate-limit", "15s");
        settings.set("mapreduce.clone.max-failures", "100");
        settings.set("mapreduce.job.speculative.retry-after-no-speculate", "500");
        settings.set("mapreduce.task.progress-report.interval", "500");
        return settings;
    }

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new RunKinds()).execute(arguments));
    }
}
