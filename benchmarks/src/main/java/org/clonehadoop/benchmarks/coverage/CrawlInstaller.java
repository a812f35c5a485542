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

import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;

/**
 * Puts {@link Crawl} around the mapper and reducer of every job that lists attempts to crawl, also
 * of programs that only ever set their own: a job asks all providers on the class path for its
 * cluster just before it is submitted, when it knows its classes. Provides nothing itself, so it
 * must come before Hadoop's own.
 */
public final class CrawlInstaller extends ClientProtocolProvider {
    private static final String NEW_MAPPER = "mapred.mapper.new-api";
    private static final String NEW_REDUCER = "mapred.reducer.new-api";
    private static final String OLD_RUNNER = "mapred.map.runner.class";
    private static final String OLD_REDUCER = "mapred.reducer.class";

    @Override
    public ClientProtocol create(Configuration conf) {
        // Which interface it uses is set when it is being submitted.
        if (!Crawlers.of(conf).isNone() && conf.get(NEW_MAPPER) != null) {
            install(conf);
        }
        return null;
    }

    @Override
    public ClientProtocol create(InetSocketAddress address, Configuration conf) {
        return null;
    }

    @Override
    public void close(ClientProtocol protocol) {}

    static void install(Configuration conf) {
        if (conf.getBoolean(NEW_MAPPER, false)) {
            wrap(conf, MRJobConfig.MAP_CLASS_ATTR, CrawlingMapper.MAPPER, CrawlingMapper.class);
        } else {
            wrap(conf, OLD_RUNNER, CrawlingRunner.RUNNER, CrawlingRunner.class);
        }
        if (conf.getBoolean(NEW_REDUCER, false)) {
            wrap(
                    conf,
                    MRJobConfig.REDUCE_CLASS_ATTR,
                    CrawlingReducer.REDUCER,
                    CrawlingReducer.class);
        } else if (conf.get(NEW_REDUCER) != null) {
            wrap(conf, OLD_REDUCER, CrawlingOldReducer.REDUCER, CrawlingOldReducer.class);
        }
    }

    /** What isn't set is Hadoop's default, within the wrapper too. */
    private static void wrap(Configuration conf, String key, String own, Class<?> wrapper) {
        String before = conf.get(key);
        if (wrapper.getName().equals(before)) {
            return;
        }
        if (before != null) {
            conf.set(own, before);
        }
        conf.set(key, wrapper.getName());
    }
}
