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
package org.clonehadoop.benchmarks.reads;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * When a read has a copy, and what that is worth: the paper's six, one with primaries that queue,
 * and stock's hedged reads.
 */
enum Scheme {
    /** Stock, and the yardstick. */
    SINGLE("off"),
    /** Stock's {@code dfs.client.hedged.read}. */
    STOCK_HEDGED("off"),
    CLONING("cloning"),
    HEDGED("hedged"),
    APP_TIMEOUT("app-timeout"),
    TIED("tied"),
    DAS("das"),
    /** The same, with primaries that queue as well. */
    DAS_STAGE("das");

    static final List<Scheme> ALL = List.of(values());

    private static final String FILE_SYSTEM =
            "org.apache.hadoop.clone.hdfs.read.DuplicateReadFileSystem";

    private final String policy;

    Scheme(String policy) {
        this.policy = policy;
    }

    /** Of options. */
    static final class Converter implements ITypeConverter<Scheme> {
        @Override
        public Scheme convert(String name) {
            return ALL.stream()
                    .filter(scheme -> scheme.option().equals(name))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new TypeConversionException(
                                            "there is no scheme '"
                                                    + name
                                                    + "'; there are "
                                                    + ALL.stream()
                                                            .map(Scheme::option)
                                                            .collect(Collectors.joining(", "))));
        }
    }

    /** As in options. */
    String option() {
        return key().replace('_', '-');
    }

    /** As in keys. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * A client of its own.
     *
     * @param thresholdMillis after which hedged reads are
     * @param threads that may read copies at once
     */
    Configuration client(Configuration from, long thresholdMillis, int threads) {
        Configuration conf = new Configuration(from);
        if (this == SINGLE || this == STOCK_HEDGED) {
            conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
            conf.setInt("dfs.client.hedged.read.threadpool.size", this == SINGLE ? 0 : threads);
            conf.setLong("dfs.client.hedged.read.threshold.millis", thresholdMillis);
            return conf;
        }
        conf.set("fs.hdfs.impl", FILE_SYSTEM);
        conf.set("dfs.client.duplicate.policy", policy);
        conf.set("dfs.client.duplicate.primary", this == DAS_STAGE ? "stage" : "direct");
        conf.set("dfs.client.duplicate.threshold", thresholdMillis + "ms");
        conf.setInt("dfs.client.duplicate.threads", threads);
        return conf;
    }
}
