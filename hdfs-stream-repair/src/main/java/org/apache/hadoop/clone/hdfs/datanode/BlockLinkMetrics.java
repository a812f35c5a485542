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
