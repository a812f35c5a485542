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
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.map.WrappedMapper;

/** A job's own mapper of the new interface, whose records come by {@link Crawl}. */
public final class CrawlingMapper<K, V, A, B> extends Mapper<K, V, A, B> {
    /** The job's own. */
    static final String MAPPER = "clonehadoop.crawl.map.class";

    @Override
    @SuppressWarnings("unchecked")
    public void run(Context context) throws IOException, InterruptedException {
        Mapper<K, V, A, B> own =
                Crawl.wrapped(context.getConfiguration(), MAPPER, Mapper.class, Mapper.class);
        Crawl crawl = Crawl.of(context);
        own.run(
                new WrappedMapper<K, V, A, B>().new Context(context) {
                    @Override
                    public boolean nextKeyValue() throws IOException, InterruptedException {
                        crawl.record();
                        return super.nextKeyValue();
                    }
                });
    }
}
