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
package org.clonehadoop.benchmarks.workloads;

import java.io.BufferedReader;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * KMeans by Lloyd's algorithm, one job of one reduce for each iteration: little intermediate data,
 * and a sum that everybody waits for. Coordinates are whole numbers.
 */
public final class KMeans extends Configured implements Tool {
    private static final String CENTRES = "clonehadoop.kmeans.centres";
    private static final int FILES = 8;
    private static final int DIMENSIONS = 20;
    private static final int CLUSTERS = 5;

    /** Coordinates are below, so that no sum of squares overflows. */
    private static final int EDGE = 1_000_000;

    @Override
    public int run(String[] arguments)
            throws IOException, InterruptedException, ClassNotFoundException {
        if (arguments.length == 3 && arguments[0].equals("make")) {
            make(new Path(arguments[1]), Integer.parseInt(arguments[2]));
            return 0;
        }
        if (arguments.length != 4 || !arguments[0].equals("cluster")) {
            System.err.println("usage: k-means make OUT POINTS | cluster IN OUT ITERATIONS");
            return 2;
        }
        Path in = new Path(arguments[1]);
        int iterations = Integer.parseInt(arguments[3]);
        List<String> centres = new ArrayList<>();
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            centres.add(text(centre(cluster, 1)));
        }
        for (int iteration = 1; iteration <= iterations; iteration++) {
            Path out = new Path(arguments[2], "iteration-" + iteration);
            if (!iteration(in, out, centres)) {
                return 1;
            }
            read(out, centres);
        }
        return 0;
    }

    private boolean iteration(Path in, Path out, List<String> centres)
            throws IOException, InterruptedException, ClassNotFoundException {
        Job job = Job.getInstance(getConf(), "k-means, " + out.getName());
        job.getConfiguration().setStrings(CENTRES, centres.toArray(new String[0]));
        job.setJarByClass(KMeans.class);
        job.setMapperClass(Nearest.class);
        job.setCombinerClass(Add.class);
        job.setReducerClass(Mean.class);
        job.setNumReduceTasks(1);
        job.setMapOutputKeyClass(IntWritable.class);
        job.setMapOutputValueClass(Sum.class);
        job.setOutputKeyClass(IntWritable.class);
        job.setOutputValueClass(Text.class);
        FileInputFormat.addInputPath(job, in);
        FileOutputFormat.setOutputPath(job, out);
        return job.waitForCompletion(true);
    }

    /** A cluster without points keeps its centre. */
    private void read(Path out, List<String> centres) throws IOException {
        FileSystem files = out.getFileSystem(getConf());
        for (FileStatus file : files.globStatus(new Path(out, "part-*"))) {
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    files.open(file.getPath()), StandardCharsets.US_ASCII))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] parts = line.split("\t");
                    centres.set(Integer.parseInt(parts[0]), parts[1]);
                }
            }
        }
    }

    /**
     * Points around {@link #CLUSTERS} centres, which aren't those that the first job begins with.
     */
    private void make(Path out, int points) throws IOException {
        new InputFiles(getConf(), out, FILES)
                .lines(
                        points,
                        point -> {
                            SplittableRandom random = new SplittableRandom(point);
                            long[] at = centre(random.nextInt(CLUSTERS), 2);
                            for (int i = 0; i < DIMENSIONS; i++) {
                                long moved = at[i] + (long) (random.nextGaussian() * EDGE / 20);
                                at[i] = Math.max(0, Math.min(EDGE - 1, moved));
                            }
                            return text(at);
                        });
    }

    private static long[] centre(int cluster, int seed) {
        return new SplittableRandom((long) seed << 32 | cluster)
                .longs(DIMENSIONS, 0, EDGE)
                .toArray();
    }

    static String text(long[] point) {
        StringJoiner text = new StringJoiner(" ");
        for (long coordinate : point) {
            text.add(Long.toString(coordinate));
        }
        return text.toString();
    }

    static long[] point(String text) {
        return Arrays.stream(text.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    /** Points that were added up, and how many. */
    public static final class Sum implements Writable {
        private long count;
        private final long[] coordinates = new long[DIMENSIONS];

        void set(long[] point) {
            count = 1;
            System.arraycopy(point, 0, coordinates, 0, DIMENSIONS);
        }

        void add(Sum other) {
            count += other.count;
            for (int i = 0; i < DIMENSIONS; i++) {
                coordinates[i] += other.coordinates[i];
            }
        }

        long[] mean() {
            return Arrays.stream(coordinates).map(coordinate -> coordinate / count).toArray();
        }

        @Override
        public void write(DataOutput out) throws IOException {
            out.writeLong(count);
            for (long coordinate : coordinates) {
                out.writeLong(coordinate);
            }
        }

        @Override
        public void readFields(DataInput in) throws IOException {
            count = in.readLong();
            for (int i = 0; i < DIMENSIONS; i++) {
                coordinates[i] = in.readLong();
            }
        }
    }

    /** Which centre a point is nearest to: of two equal ones the first. */
    public static final class Nearest extends Mapper<LongWritable, Text, IntWritable, Sum> {
        private final IntWritable nearest = new IntWritable();
        private final Sum sum = new Sum();
        private long[][] centres;

        @Override
        protected void setup(Context context) {
            centres =
                    Arrays.stream(context.getConfiguration().getStrings(CENTRES))
                            .map(KMeans::point)
                            .toArray(long[][]::new);
        }

        @Override
        protected void map(LongWritable offset, Text line, Context context)
                throws IOException, InterruptedException {
            long[] point = point(line.toString());
            nearest.set(nearest(point, centres));
            sum.set(point);
            context.write(nearest, sum);
        }
    }

    static int nearest(long[] point, long[][] centres) {
        int nearest = 0;
        long least = Long.MAX_VALUE;
        for (int centre = 0; centre < centres.length; centre++) {
            long distance = 0;
            for (int i = 0; i < point.length; i++) {
                long apart = point[i] - centres[centre][i];
                distance += apart * apart;
            }
            if (distance < least) {
                least = distance;
                nearest = centre;
            }
        }
        return nearest;
    }

    /** Combines. */
    public static final class Add extends Reducer<IntWritable, Sum, IntWritable, Sum> {
        @Override
        protected void reduce(IntWritable cluster, Iterable<Sum> sums, Context context)
                throws IOException, InterruptedException {
            context.write(cluster, added(sums));
        }
    }

    /** A cluster's new centre. */
    public static final class Mean extends Reducer<IntWritable, Sum, IntWritable, Text> {
        @Override
        protected void reduce(IntWritable cluster, Iterable<Sum> sums, Context context)
                throws IOException, InterruptedException {
            context.write(cluster, new Text(text(added(sums).mean())));
        }
    }

    private static Sum added(Iterable<Sum> sums) {
        Sum all = new Sum();
        sums.forEach(all::add);
        return all;
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(ToolRunner.run(new KMeans(), arguments));
    }
}
