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
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.reduce.WrappedReducer;

/** A job's own reducer of the new interface, whose keys come by {@link Crawl}. */
public final class CrawlingReducer<K, V, A, B> extends Reducer<K, V, A, B> {
    /** The job's own. */
    static final String REDUCER = "clonehadoop.crawl.reduce.class";

    @Override
    @SuppressWarnings("unchecked")
    public void run(Context context) throws IOException, InterruptedException {
        Reducer<K, V, A, B> own =
                Crawl.wrapped(context.getConfiguration(), REDUCER, Reducer.class, Reducer.class);
        Crawl crawl = Crawl.of(context);
        own.run(
                new WrappedReducer<K, V, A, B>().new Context(context) {
                    @Override
                    public boolean nextKey() throws IOException, InterruptedException {
                        crawl.record();
                        return super.nextKey();
                    }
                });
    }
}
