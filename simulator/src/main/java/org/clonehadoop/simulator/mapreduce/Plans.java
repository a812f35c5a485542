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
package org.clonehadoop.simulator.mapreduce;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.platform.Load;
import org.clonehadoop.simulator.trouble.SlowSource;
import org.clonehadoop.simulator.trouble.Trouble;

/** What the tasks of a job have to do, stage by stage. */
public final class Plans {
    /** Read for a JVM's start. */
    private static final double JVM_MEGABYTES = 20;

    /**
     * Of what a JVM takes until its task works, until it asks for the task; the rest is for classes
     * that are loaded, and compiled, after that. Whether one, two or three began on a host: in
     * feeds they asked after 2.4, 4.3 and 7.2 s, and in tasks' logs the first record came 2.5, 3.9
     * and 6.7 s later.
     */
    private static final double ASKS_AFTER = 0.5;

    /** Of the output buffer: {@code mapreduce.map.sort.spill.percent}. */
    private static final double SPILL_SHARE = 0.8;

    /**
     * What a megabyte of sorts' records of 100 bytes takes of that buffer: their lengths, and 16
     * bytes of MapOutputBuffer's for each.
     */
    private static final double IN_BUFFER = 1.18;

    /**
     * Of what a map takes for its data, for its records; in the rest another thread sorts and
     * spills them. By the logs of 27 maps of whole-jobs on 2026-11-26, of 62 and 83 MB: of the 233
     * s from the first record to the end 73 were over with the last one.
     */
    private static final double RECORDS = 0.31;

    /**
     * Of what is sorted and spilled, for the sort: of six spills of 650 000 records of 100 bytes,
     * one after the other in one JVM on 2026-11-28, 0.64 to 0.76, the median 0.65.
     */
    private static final double SORTS = 0.65;

    private static final double BLOCK_MEGABYTES = 128;

    /** Of maps whose input is one block. */
    private static final double LOCAL_SHARE = 0.9;

    /** Of a megabyte that is only merged. */
    private static final double MERGE_CPU = 0.005;

    // What MapTask and ReduceTask say of themselves.
    private static final double MAPPED = 0.667;
    private static final double FETCHED = 1 / 3.0;
    private static final double SORTED = 2 / 3.0;

    /** So finely are a task's records divided at the least: where it may become slow. */
    private static final int PARTS = 10;

    private final JobSpec spec;
    private final Configuration conf;
    private final Draws draws;
    private final Map<TaskId, List<Stage>> plans = new HashMap<>();

    /** By segments: all reduces of a job have as many. */
    private final Map<Integer, Double> rewritten = new HashMap<>();

    public Plans(JobSpec spec, Draws draws) {
        this.spec = spec;
        conf = spec.configuration();
        this.draws = draws;
    }

    /** A JVM until its task, or AppMaster, works. */
    Load jvm() {
        return new Load(spec.costs().jvmCpuSeconds(), JVM_MEGABYTES, 0);
    }

    public List<Stage> of(TaskId task) {
        return plans.computeIfAbsent(
                task, one -> one.getTaskType() == TaskType.MAP ? map(one) : reduce(one));
    }

    /** Spills of a map of usual size. */
    int spills() {
        return spills(inputMegabytes() * spec.program().mapOutput());
    }

    private int spills(double outputMegabytes) {
        return Math.max(1, (int) Math.ceil(outputMegabytes / spillMegabytes()));
    }

    private double spillMegabytes() {
        int buffer = conf.getInt(MRJobConfig.IO_SORT_MB, MRJobConfig.DEFAULT_IO_SORT_MB);
        return SPILL_SHARE * buffer / IN_BUFFER;
    }

    /**
     * The share of a map's output that is sorted once its records are through. As in MapTask's
     * MapOutputBuffer: that is what no spill took with it, and the last whole spill as well if what
     * came after it fits in the rest of the buffer, since only then nobody has waited for its end.
     */
    private double sortedLast(double outputMegabytes) {
        if (spec.reduces() == 0 || outputMegabytes == 0) {
            return 0;
        }
        double rest = outputMegabytes % spillMegabytes();
        boolean fits = rest <= spillMegabytes() * (1 / SPILL_SHARE - 1);
        return Math.min(1, (fits ? spillMegabytes() + rest : rest) / outputMegabytes);
    }

    /** Of what a map takes until its records are through, for them: the rest is for spills. */
    public static double recordsShare(JobSpec spec) {
        Plans plans = new Plans(spec, new Draws(0));
        Program program = spec.program();
        double last = plans.sortedLast(plans.inputMegabytes() * program.mapOutput());
        double untilThrough = 1 - (1 - RECORDS) * last;
        return program.withWait(program.mapCpu() * untilThrough, RECORDS / untilThrough);
    }

    /**
     * What a map with per-spill outputs has not yet published.
     *
     * @param progress from 0 to 1
     */
    double unspilled(double progress) {
        double output = inputMegabytes() * spec.program().mapOutput();
        double spills = spills() * Math.min(1, progress / MAPPED);
        return output / spills() * (spills - Math.floor(spills));
    }

    private int factor() {
        return conf.getInt(MRJobConfig.IO_SORT_FACTOR, MRJobConfig.DEFAULT_IO_SORT_FACTOR);
    }

    private double inputMegabytes() {
        return spec.megabytes() / spec.maps();
    }

    /** What a reduce of usual size fetches. */
    double partitionMegabytes() {
        return spec.megabytes() * spec.program().mapOutput() / Math.max(1, spec.reduces());
    }

    private List<Stage> map(TaskId task) {
        double input = inputMegabytes() * size(task);
        double output = input * spec.program().mapOutput();
        double local = LOCAL_SHARE * Math.min(1, BLOCK_MEGABYTES / input);
        int spills = spills(output);
        int parts = spills * (int) Math.ceil((double) PARTS / spills);
        double last = sortedLast(output);
        double cpu = input * spec.program().mapCpu();
        Load sort = new Load((1 - RECORDS) * cpu * last, output * last, 0);
        Load part =
                new Load(
                                cpu - sort.cpu(),
                                input * local + output - sort.disk(),
                                input * (1 - local))
                        .times(1.0 / parts);
        double mapped = spec.reduces() > 0 ? MAPPED : 1;
        List<Stage> stages = new ArrayList<>();
        begin(Phase.MAP, stages);
        double wait = input * spec.program().waits() / parts;
        for (int i = 1; i <= parts; i++) {
            records(Phase.MAP, part, wait, mapped * (i - 1) / parts, mapped * i / parts, stages);
            double done = (double) i / parts;
            boolean spilled = i * spills % parts == 0 && done <= 1 - last;
            if (spec.perSpill() && spilled) {
                stages.add(stages.remove(stages.size() - 1).publishing(done));
            }
        }
        lastRecord(task, Phase.MAP, mapped, stages);
        if (last > 0) {
            Load sorts = new Load(SORTS * sort.cpu(), 0, 0);
            Load writes = new Load(sort.cpu() - sorts.cpu(), sort.disk(), 0);
            stages.add(Stage.working(Phase.SORT, sorts, mapped, mapped));
            Stage writing = Stage.working(Phase.SORT, writes, mapped, mapped);
            stages.add(spec.perSpill() ? writing.publishing(1) : writing);
        }
        if (!spec.perSpill() && spec.reduces() > 0) {
            Load merge = spills == 1 ? Load.NONE : merge(output, 1 + rewritten(spills));
            stages.add(Stage.working(Phase.SORT, merge, mapped, 1).publishing(1));
        }
        return List.copyOf(stages);
    }

    private List<Stage> reduce(TaskId task) {
        double input = partitionMegabytes() * size(task);
        double output = input * spec.program().reduceOutput();
        int segments = spec.maps() * (spec.perSpill() ? spills() : 1);
        List<Stage> stages = new ArrayList<>();
        begin(Phase.SHUFFLE, stages);
        fetch(input, stages);
        stages.add(Stage.working(Phase.SORT, merge(input, rewritten(segments)), FETCHED, SORTED));
        Load part =
                new Load(input * spec.program().reduceCpu(), input + output, 0).times(1.0 / PARTS);
        double wait = input * spec.program().waits() / PARTS;
        for (int i = 0; i < PARTS; i++) {
            double from = SORTED + (1 - SORTED) * i / PARTS;
            double to = SORTED + (1 - SORTED) * (i + 1) / PARTS;
            records(Phase.REDUCE, part, wait, from, to, stages);
        }
        lastRecord(task, Phase.REDUCE, 1, stages);
        return List.copyOf(stages);
    }

    /**
     * A part of a task's records: what they take of the host, and then what they wait.
     *
     * @param wait seconds
     */
    private static void records(
            Phase phase, Load work, double wait, double from, double to, List<Stage> stages) {
        if (wait == 0) {
            stages.add(Stage.working(phase, work, from, to).handlingRecords());
            return;
        }
        double worked = from + (to - from) * work.cpu() / (work.cpu() + wait);
        stages.add(Stage.working(phase, work, from, worked).handlingRecords());
        stages.add(Stage.working(phase, new Load(0, 0, 0, wait), worked, to).handlingRecords());
    }

    /** What comes from a slow source comes last, one map's output after the other. */
    private void fetch(double input, List<Stage> stages) {
        double slow = slowSource().map(SlowSource::share).orElse(0.0);
        Load quick = new Load(0, input, input).times(1 - slow);
        stages.add(Stage.working(Phase.SHUFFLE, quick, 0, FETCHED * (1 - slow)));
        int outputs = (int) Math.ceil(slow * spec.maps());
        for (int i = 0; i < outputs; i++) {
            stages.add(
                    Stage.fromSlowSource(
                            input * slow / outputs,
                            FETCHED * (1 - slow + slow * i / outputs),
                            FETCHED * (1 - slow + slow * (i + 1) / outputs)));
        }
    }

    /** The first one of the job's troubles that has one. */
    Optional<SlowSource> slowSource() {
        return spec.troubles().stream().flatMap(trouble -> trouble.source().stream()).findFirst();
    }

    /** From when it asks on it is in its first phase, as far as the AppMaster knows. */
    private void begin(Phase first, List<Stage> stages) {
        Load whole = jvm();
        stages.add(Stage.starting(whole.times(ASKS_AFTER)));
        stages.add(Stage.working(first, whole.times(1 - ASKS_AFTER), 0, 0));
    }

    private double rewritten(int segments) {
        return rewritten.computeIfAbsent(segments, some -> MergeRule.rewritten(some, factor()));
    }

    /** So many times read and written. */
    private static Load merge(double megabytes, double times) {
        return new Load(MERGE_CPU * megabytes, 2 * megabytes, 0).times(times);
    }

    /** Of the task's input, over the mean. */
    double size(TaskId task) {
        double size = 1;
        for (Trouble trouble : spec.troubles()) {
            size *= trouble.size(task, draws);
        }
        return size;
    }

    private void lastRecord(TaskId task, Phase phase, double progress, List<Stage> stages) {
        double cpu =
                spec.troubles().stream()
                        .mapToDouble(trouble -> trouble.lastRecord(task, draws))
                        .sum();
        if (cpu > 0) {
            stages.add(Stage.working(phase, new Load(cpu, 0, 0), progress, progress));
        }
    }
}
