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
package org.clonehadoop.benchmarks.straggler;

import java.io.IOException;
import java.util.Iterator;
import java.util.StringTokenizer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code slow-word-count IN OUT}: counts words, with a combiner and a {@link Slowdown}, by either
 * of Hadoop's programming interfaces: the old one if {@value #OLD} is true.
 */
public final class SlowWordCount extends Configured implements Tool {
    static final String OLD = "clonehadoop.wordcount.old-api";

    private static final LongWritable ONE = new LongWritable(1);

    @Override
    public int run(String[] paths) throws Exception {
        if (paths.length != 2) {
            System.err.println("usage: slow-word-count [-Dkey=value ...] IN OUT");
            return 2;
        }
        Path in = new Path(paths[0]);
        Path out = new Path(paths[1]);
        return getConf().getBoolean(OLD, false) ? old(in, out) : current(in, out);
    }

    private int current(Path in, Path out)
            throws IOException, InterruptedException, ClassNotFoundException {
        Job job = Job.getInstance(getConf(), "slow word count");
        job.setJarByClass(SlowWordCount.class);
        job.setMapperClass(CurrentMapper.class);
        job.setCombinerClass(LongSumReducer.class);
        job.setReducerClass(CurrentReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
        FileInputFormat.addInputPath(job, in);
        FileOutputFormat.setOutputPath(job, out);
        return job.waitForCompletion(true) ? 0 : 1;
    }

    private int old(Path in, Path out) throws IOException {
        JobConf job = new JobConf(getConf(), SlowWordCount.class);
        job.setJobName("slow word count, old interface");
        job.setMapperClass(OldMapper.class);
        job.setCombinerClass(org.apache.hadoop.mapred.lib.LongSumReducer.class);
        job.setReducerClass(OldReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(LongWritable.class);
        org.apache.hadoop.mapred.FileInputFormat.addInputPath(job, in);
        org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(job, out);
        return JobClient.runJob(job).isSuccessful() ? 0 : 1;
    }

    private interface Output {
        void write(Text word) throws IOException, InterruptedException;
    }

    /** What both mappers do with a line. */
    private static void count(Text line, Output output) throws IOException, InterruptedException {
        Text word = new Text();
        StringTokenizer words = new StringTokenizer(line.toString());
        while (words.hasMoreTokens()) {
            word.set(words.nextToken());
            output.write(word);
        }
    }

    /** Of the new interface. */
    public static final class CurrentMapper extends Mapper<LongWritable, Text, Text, LongWritable> {
        private Brake brake;

        @Override
        protected void setup(Context context) {
            brake = Brake.on(new Slowdown(context.getConfiguration()), context::getTaskAttemptID);
        }

        @Override
        protected void map(LongWritable offset, Text line, Context context)
                throws IOException, InterruptedException {
            count(line, word -> context.write(word, ONE));
            brake.press();
        }
    }

    /** Of the old interface. */
    public static final class OldMapper extends MapReduceBase
            implements org.apache.hadoop.mapred.Mapper<LongWritable, Text, Text, LongWritable> {
        private Brake brake;

        @Override
        public void configure(JobConf job) {
            brake = Brake.on(new Slowdown(job), self(job));
        }

        @Override
        public void map(
                LongWritable offset,
                Text line,
                OutputCollector<Text, LongWritable> output,
                Reporter reporter)
                throws IOException {
            try {
                count(line, word -> output.collect(word, ONE));
                brake.press();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }

    /** Of the new interface. */
    public static final class CurrentReducer extends LongSumReducer<Text> {
        private Brake brake;

        @Override
        protected void setup(Context context) {
            brake = Brake.on(new Slowdown(context.getConfiguration()), context::getTaskAttemptID);
        }

        @Override
        public void reduce(Text word, Iterable<LongWritable> counts, Context context)
                throws IOException, InterruptedException {
            super.reduce(word, counts, context);
            brake.press();
        }
    }

    /** Of the old interface. */
    public static final class OldReducer extends org.apache.hadoop.mapred.lib.LongSumReducer<Text> {
        private Brake brake;

        @Override
        public void configure(JobConf job) {
            brake = Brake.on(new Slowdown(job), self(job));
        }

        @Override
        public void reduce(
                Text word,
                Iterator<LongWritable> counts,
                OutputCollector<Text, LongWritable> output,
                Reporter reporter)
                throws IOException {
            super.reduce(word, counts, output, reporter);
            try {
                brake.press();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }

    /** The configuration is all that a task of the old interface knows of its attempt. */
    private static Supplier<TaskAttemptID> self(Configuration job) {
        return () -> TaskAttemptID.forName(job.get(MRJobConfig.TASK_ATTEMPT_ID));
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(ToolRunner.run(new SlowWordCount(), arguments));
    }
}
