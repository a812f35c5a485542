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

import java.io.IOException;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapRunnable;
import org.apache.hadoop.mapred.MapRunner;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;

/** A job's own map runner of the old interface, whose records come by {@link Crawl}. */
public final class CrawlingRunner<K, V, A, B> implements MapRunnable<K, V, A, B> {
    /** The job's own. */
    static final String RUNNER = "clonehadoop.crawl.map.runner.class";

    private JobConf job;
    private MapRunnable<K, V, A, B> own;

    @Override
    @SuppressWarnings("unchecked")
    public void configure(JobConf conf) {
        job = conf;
        own = Crawl.wrapped(conf, RUNNER, MapRunner.class, MapRunnable.class);
    }

    @Override
    public void run(RecordReader<K, V> input, OutputCollector<A, B> output, Reporter reporter)
            throws IOException {
        Crawl crawl = Crawl.of(job, reporter);
        own.run(
                new RecordReader<>() {
                    @Override
                    public boolean next(K key, V value) throws IOException {
                        crawl.recordOrIOException();
                        return input.next(key, value);
                    }

                    @Override
                    public K createKey() {
                        return input.createKey();
                    }

                    @Override
                    public V createValue() {
                        return input.createValue();
                    }

                    @Override
                    public long getPos() throws IOException {
                        return input.getPos();
                    }

                    @Override
                    public float getProgress() throws IOException {
                        return input.getProgress();
                    }

                    @Override
                    public void close() throws IOException {
                        input.close();
                    }
                },
                output,
                reporter);
    }
}
