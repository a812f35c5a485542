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
import java.util.Iterator;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reducer;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.lib.IdentityReducer;

/** A job's own reducer of the old interface, whose keys come by {@link Crawl}. */
public final class CrawlingOldReducer<K, V, A, B> implements Reducer<K, V, A, B> {
    /** The job's own. */
    static final String REDUCER = "clonehadoop.crawl.old-reduce.class";

    private JobConf job;
    private Reducer<K, V, A, B> own;
    private Crawl crawl;

    @Override
    @SuppressWarnings("unchecked")
    public void configure(JobConf conf) {
        job = conf;
        own = Crawl.wrapped(conf, REDUCER, IdentityReducer.class, Reducer.class);
    }

    @Override
    public void reduce(K key, Iterator<V> values, OutputCollector<A, B> output, Reporter reporter)
            throws IOException {
        if (crawl == null) {
            crawl = Crawl.of(job, reporter);
        }
        crawl.recordOrIOException();
        own.reduce(key, values, output, reporter);
    }

    @Override
    public void close() throws IOException {
        own.close();
    }
}
