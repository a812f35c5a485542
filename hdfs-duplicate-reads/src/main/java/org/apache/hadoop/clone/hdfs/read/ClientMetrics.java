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
package org.apache.hadoop.clone.hdfs.read;

import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client's statistics for Hadoop's metrics, where its JVM has switched these on. */
final class ClientMetrics implements MetricsSource {
    static final String NAME = "DuplicateReadClient";

    private static final Logger LOG = LoggerFactory.getLogger(ClientMetrics.class);

    private final DuplicateReadStatistics statistics;

    private ClientMetrics(DuplicateReadStatistics statistics) {
        this.statistics = statistics;
    }

    /** Once in a JVM. */
    static void register(DuplicateReadStatistics statistics) {
        try {
            DefaultMetricsSystem.instance()
                    .register(NAME, "Reads with duplicates", new ClientMetrics(statistics));
        } catch (MetricsException e) {
            LOG.debug("There are no metrics of duplicate reads", e);
        }
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
        for (Counter counter : Counter.values()) {
            record.addCounter(Interns.info(counter.key(), counter.key()), statistics.get(counter));
        }
    }
}
