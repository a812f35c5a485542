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

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * PageRank, one job for each iteration. A line is a page: its number, a tab, its rank, and the
 * pages that it links to. Ranks are whole numbers, of which a page has {@link #UNIT} in the mean;
 * what pages without links have is lost, as in HiBench's.
 */
public final class PageRank extends Configured implements Tool {
    static final long UNIT = 1_000_000_000;

    private static final int FILES = 8;

    /** Page ranks flow along links but for this share of a hundred, which all pages get alike. */
    private static final int JUMPS = 15;

    @Override
    public int run(String[] arguments)
            throws IOException, InterruptedException, ClassNotFoundException {
        if (arguments.length == 3 && arguments[0].equals("make")) {
            make(new Path(arguments[1]), Integer.parseInt(arguments[2]));
            return 0;
        }
        if (arguments.length != 4 || !arguments[0].equals("rank")) {
            System.err.println("usage: page-rank make OUT PAGES | rank IN OUT ITERATIONS");
            return 2;
        }
        Path in = new Path(arguments[1]);
        int iterations = Integer.parseInt(arguments[3]);
        for (int iteration = 1; iteration <= iterations; iteration++) {
            Path out = new Path(arguments[2], "iteration-" + iteration);
            if (!iteration(in, out)) {
                return 1;
            }
            in = out;
        }
        return 0;
    }

    private boolean iteration(Path in, Path out)
            throws IOException, InterruptedException, ClassNotFoundException {
        Job job = Job.getInstance(getConf(), "page rank, " + out.getName());
        job.setJarByClass(PageRank.class);
        job.setInputFormatClass(KeyValueTextInputFormat.class);
        job.setMapperClass(Share.class);
        job.setReducerClass(Rank.class);
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(Text.class);
        FileInputFormat.addInputPath(job, in);
        FileOutputFormat.setOutputPath(job, out);
        return job.waitForCompletion(true);
    }

    /** A few pages have most links: half of all lead to the first hundredth. */
    private void make(Path out, int pages) throws IOException {
        InputFiles files = new InputFiles(getConf(), out, FILES);
        files.lines(
                pages,
                page -> {
                    SplittableRandom random = new SplittableRandom(page);
                    StringBuilder line = new StringBuilder().append(page).append('\t').append(UNIT);
                    for (int links = random.nextInt(20); links > 0; links--) {
                        int among = random.nextBoolean() ? Math.max(1, pages / 100) : pages;
                        line.append(' ').append(random.nextInt(among));
                    }
                    return line;
                });
    }

    /** Gives each linked page its share of the rank, and the page its own links. */
    public static final class Share extends Mapper<Text, Text, LongWritable, Text> {
        private final Text share = new Text();

        @Override
        protected void map(Text page, Text line, Context context)
                throws IOException, InterruptedException {
            String[] words = line.toString().split(" ");
            if (words.length > 1) {
                share.set(Long.toString(Long.parseLong(words[0]) / (words.length - 1)));
                for (int link = 1; link < words.length; link++) {
                    context.write(page(words[link]), share);
                }
            }
            int links = line.find(" ");
            context.write(
                    page(page.toString()),
                    new Text(links < 0 ? " " : line.toString().substring(links)));
        }
    }

    /** A page's new rank. */
    public static final class Rank extends Reducer<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void reduce(LongWritable page, Iterable<Text> values, Context context)
                throws IOException, InterruptedException {
            long shares = 0;
            String links = "";
            for (Text value : values) {
                String text = value.toString();
                if (text.startsWith(" ")) {
                    links = text;
                } else {
                    shares += Long.parseLong(text);
                }
            }
            long rank = UNIT / 100 * JUMPS + shares / 100 * (100 - JUMPS);
            context.write(page, new Text((rank + links).stripTrailing()));
        }
    }

    private static LongWritable page(String number) {
        return new LongWritable(Long.parseLong(number));
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(ToolRunner.run(new PageRank(), arguments));
    }
}
