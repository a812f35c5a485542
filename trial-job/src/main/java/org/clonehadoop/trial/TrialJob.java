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
package org.clonehadoop.trial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs four maps of half a minute, one of which becomes slow, and a reduce, or none with {@code -D
 * mapreduce.job.reduces=0}; checks the result, and says what clones did. Exit code 0: the result is
 * right and a clone won; 3: right, without one; 2: OUTPUT is there already, or the usage is wrong;
 * 1: the job failed, the result is wrong, or the job's counters are gone.
 */
public final class TrialJob extends Configured implements Tool {
    private static final String USAGE =
            "usage: hadoop jar trial-job.jar [-conf FILE] [-D KEY=VALUE] [OUTPUT]";
    private static final String CLONES = "org.apache.hadoop.clone.appmaster.CloneCounter";
    private static final int MAPS = 4;
    private static final int FAILED = 1;
    private static final int NO_CLONE_WON = 3;
    private static final int WRONG_USAGE = 2;

    public static void main(String[] arguments) throws Exception {
        System.exit(ToolRunner.run(new TrialJob(), arguments));
    }

    @Override
    public int run(String[] arguments) throws Exception {
        if (arguments.length > 1 || arguments.length == 1 && arguments[0].startsWith("-")) {
            System.err.println(USAGE);
            return arguments[0].equals("--help") ? 0 : WRONG_USAGE;
        }
        Path output = new Path(arguments.length == 1 ? arguments[0] : "clone-hadoop-trial");
        try {
            return runInto(output);
        } catch (IOException e) {
            System.err.println("The trial can't be run: " + e.getMessage());
            return FAILED;
        }
    }

    /** What was there before stays as it is; what this job writes is removed. */
    private int runInto(Path output) throws Exception {
        FileSystem files = output.getFileSystem(getConf());
        if (files.exists(output)) {
            System.err.println(output + " is there already: remove it, or name another OUTPUT");
            return WRONG_USAGE;
        }
        Job job = job(output);
        job.submit();
        return watch(job, files, output);
    }

    /** A job doesn't end with its client, nor when the client is told nothing of it any more. */
    static int watch(Job job, FileSystem files, Path output) throws Exception {
        boolean isOver = false;
        Runnable breakOff = () -> breakOff(job, files, output);
        ShutdownHookManager hooks = ShutdownHookManager.get();
        hooks.addShutdownHook(breakOff, FileSystem.SHUTDOWN_HOOK_PRIORITY + 1);
        try {
            boolean succeeded = job.monitorAndPrintJob();
            isOver = true;
            return succeeded
                    ? tell(
                            job.getCounters(),
                            job.getNumReduceTasks(),
                            sum(files, output),
                            records(job.getConfiguration()))
                    : FAILED;
        } finally {
            if (!hooks.isShutdownInProgress()) {
                hooks.removeShutdownHook(breakOff);
                if (isOver) {
                    files.delete(output, true);
                } else {
                    breakOff.run();
                }
            }
        }
    }

    private static void breakOff(Job job, FileSystem files, Path output) {
        try {
            job.killJob();
            files.delete(output, true);
        } catch (IOException e) {
            System.err.printf("%s may still be there, and run: %s%n", job.getJobID(), e);
        }
    }

    Job job(Path output) throws Exception {
        Configuration configuration = getConf();
        configuration.setInt(NumberInput.MAPS, MAPS);
        // Without any there is no speculator, and clusters may have it off.
        configuration.setBoolean(MRJobConfig.MAP_SPECULATIVE, true);
        // Nor is there one in an uber job, as which clusters may run what is so small.
        configuration.setBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, false);
        configuration.setLong(NumberInput.RECORDS, records(configuration));
        configuration.set(TextOutputFormat.SEPARATOR, "\t");
        Job job = Job.getInstance(configuration, "CloneHadoop's trial");
        job.setJarByClass(TrialJob.class);
        job.setInputFormatClass(NumberInput.class);
        job.setMapperClass(StragglingMapper.class);
        job.setReducerClass(SumReducer.class);
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(LongWritable.class);
        job.setOutputFormatClass(TextOutputFormat.class);
        FileOutputFormat.setOutputPath(job, output);
        FileOutputFormat.setCompressOutput(job, false);
        return job;
    }

    /** Of a map: half a minute of them, unless the user says something else. */
    private static long records(Configuration configuration) {
        return configuration.getLong(
                NumberInput.RECORDS, 30_000 / StragglingMapper.MILLIS_A_RECORD);
    }

    /**
     * Of all numbers that were written, whether by maps or by a reduce, which has added some up.
     */
    private static long sum(FileSystem files, Path output) throws IOException {
        long sum = 0;
        for (FileStatus part : files.globStatus(new Path(output, "part-*"))) {
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    files.open(part.getPath()), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    sum += Long.parseLong(line.substring(line.indexOf('\t') + 1));
                }
            }
        }
        return sum;
    }

    /**
     * @param counters null if the job has retired meanwhile
     */
    static int tell(Counters counters, int reduces, long sum, long records) {
        if (counters == null) {
            System.out.println("The job's counters are gone: nobody knows what clones did");
            return FAILED;
        }
        long all = MAPS * records;
        TaskCounter last =
                reduces > 0 ? TaskCounter.REDUCE_INPUT_RECORDS : TaskCounter.MAP_OUTPUT_RECORDS;
        long count = counters.findCounter(last).getValue();
        if (!isRight(all, count, sum)) {
            System.out.printf(
                    "The result is WRONG: %d numbers that add up to %d, not %d that add up to %d%n",
                    count, sum, all, all * (all - 1) / 2);
            return FAILED;
        }
        long won = clones(counters, "CLONES_WON");
        System.out.printf(
                "The result is right. Clones: %d ordered, %d ran, %d won%n",
                clones(counters, "CLONES_ORDERED"), clones(counters, "CLONES_RUNNING"), won);
        return won > 0 ? 0 : NO_CLONE_WON;
    }

    /** Of the numbers from 0 to {@code all - 1}, each once. */
    static boolean isRight(long all, long count, long sum) {
        return count == all && sum == all * (all - 1) / 2;
    }

    private static long clones(Counters counters, String name) {
        return counters.findCounter(CLONES, name).getValue();
    }
}
