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
package org.apache.hadoop.clone.hdfs.datanode;

import org.apache.hadoop.metrics2.annotation.Metric;
import org.apache.hadoop.metrics2.annotation.Metrics;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableRate;

/** What the plugin of one DataNode has done, for Hadoop's metrics. */
@Metrics(about = "Links between blocks", context = "dfs")
final class BlockLinkMetrics {
    @Metric("Replicas made by linking")
    private MutableCounterLong replicasLinked;

    @Metric("Bytes of these, none of which were written")
    private MutableCounterLong bytesLinked;

    @Metric("Requests that were refused")
    private MutableCounterLong refused;

    @Metric("Milliseconds a link took")
    private MutableRate link;

    private final String name;

    private BlockLinkMetrics(String name) {
        this.name = name;
    }

    /**
     * @param dataNode the name by which its other metrics go
     */
    static BlockLinkMetrics register(String dataNode) {
        String name = "BlockLinks-" + dataNode.replace(':', '-');
        return DefaultMetricsSystem.instance().register(name, null, new BlockLinkMetrics(name));
    }

    void unregister() {
        DefaultMetricsSystem.instance().unregisterSource(name);
    }

    void linked(long bytes, long millis) {
        replicasLinked.incr();
        bytesLinked.incr(bytes);
        link.add(millis);
    }

    void refused() {
        refused.incr();
    }
}
