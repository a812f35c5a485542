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

import java.io.IOException;
import java.util.StringTokenizer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.lib.LongSumReducer;
import org.apache.hadoop.mapred.lib.TokenCountMapper;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;

/** Jobs whose output is the same each time, byte by byte. */
final class SpillJobs {
    private static final int REDUCES = 2;

    private SpillJobs() {}

    /** 0 as long as the job has none. */
    static long count(Job job, Enum<?> counter) throws IOException {
        Counters counters = job.getCounters();
        return counters == null ? 0 : counters.findCounter(counter).getValue();
    }

    static Job wordCount(Job job) {
        job.setMapperClass(Words.class);
        job.setCombinerClass(IntSumReducer.class);
        job.setReducerClass(IntSumReducer.class);
        job.setMapOutputKeyClass(Text.class);
        job.setMapOutputValueClass(IntWritable.class);
        job.setNumReduceTasks(REDUCES);
        return job;
    }

    /** The same, with Hadoop's old API. */
    static Job oldWordCount(Job job) {
        JobConf conf = (JobConf) job.getConfiguration();
        conf.setMapperClass(TokenCountMapper.class);
        conf.setCombinerClass(LongSumReducer.class);
        conf.setReducerClass(LongSumReducer.class);
        conf.setOutputKeyClass(Text.class);
        conf.setOutputValueClass(LongWritable.class);
        conf.setNumReduceTasks(REDUCES);
        conf.setNumMapTasks(1); // no files are to be split
        return job;
    }

    static Job sort(Job job) {
        job.setMapperClass(Lines.class);
        job.setMapOutputKeyClass(Text.class);
        job.setMapOutputValueClass(Text.class);
        job.setNumReduceTasks(REDUCES);
        return job;
    }

    /** Groups by first word; each group's lines come sorted by their number. */
    static Job secondarySort(Job job) {
        sort(job);
        job.setPartitionerClass(FirstWordPartitioner.class);
        job.setGroupingComparatorClass(FirstWordComparator.class);
        job.setReducerClass(Concatenation.class);
        return job;
    }

    private static String firstWord(Object key) {
        String text = key.toString();
        return text.substring(0, text.indexOf(' '));
    }

    public static final class Words extends Mapper<LongWritable, Text, Text, IntWritable> {
        private static final IntWritable ONE = new IntWritable(1);
        private final Text word = new Text();

        @Override
        protected void map(LongWritable offset, Text line, Context context)
                throws IOException, InterruptedException {
            StringTokenizer words = new StringTokenizer(line.toString());
            while (words.hasMoreTokens()) {
                word.set(words.nextToken());
                context.write(word, ONE);
            }
        }
    }

    /** Lines as keys and values: they are all different. */
    public static final class Lines extends Mapper<LongWritable, Text, Text, Text> {
        @Override
        protected void map(LongWritable offset, Text line, Context context)
                throws IOException, InterruptedException {
            context.write(line, line);
        }
    }

    public static final class FirstWordPartitioner extends Partitioner<Text, Text> {
        @Override
        public int getPartition(Text key, Text value, int partitions) {
            return (firstWord(key).hashCode() & Integer.MAX_VALUE) % partitions;
        }
    }

    public static final class FirstWordComparator extends WritableComparator {
        public FirstWordComparator() {
            super(Text.class, true);
        }

        @Override
        @SuppressWarnings("rawtypes") // as the method it overrides
        public int compare(WritableComparable one, WritableComparable other) {
            return firstWord(one).compareTo(firstWord(other));
        }
    }

    public static final class Concatenation extends Reducer<Text, Text, Text, Text> {
        @Override
        protected void reduce(Text key, Iterable<Text> values, Context context)
                throws IOException, InterruptedException {
            StringBuilder all = new StringBuilder();
            for (Text value : values) {
                all.append(value).append('|');
            }
            context.write(new Text(firstWord(key)), new Text(all.toString()));
        }
    }
}
