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
package org.apache.hadoop.clone.hdfs.read.datanode;

import org.apache.hadoop.metrics2.annotation.Metric;
import org.apache.hadoop.metrics2.annotation.Metrics;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.apache.hadoop.metrics2.lib.MutableRate;

/** What the stage of one DataNode has done, for Hadoop's metrics. */
@Metrics(name = "DuplicateReads", about = "Reads with duplicates", context = "dfs")
final class StageMetrics {
    @Metric("Jobs that came")
    private MutableCounterLong queued;

    @Metric("Of these, whose turn has come")
    private MutableCounterLong started;

    @Metric("Whose client ended them before their turn")
    private MutableCounterLong purgedWaiting;

    @Metric("Which ended after that, before all of their bytes were sent")
    private MutableCounterLong purgedServed;

    @Metric("For which there was no room, or which waited for too long")
    private MutableCounterLong turnedAway;

    @Metric("How often a duplicate gave way after it had begun")
    private MutableCounterLong yields;

    @Metric("For how long")
    private MutableCounterLong yieldMillis;

    @Metric("Copies that the volume with most of them serves at once")
    private MutableGaugeInt level;

    @Metric("Bytes sent, with their checksums")
    private MutableCounterLong bytesServed;

    @Metric("Milliseconds a job waited for its turn")
    private MutableRate wait;

    private final String name;

    private StageMetrics(String name) {
        this.name = name;
    }

    /**
     * @param dataNode the name by which its other metrics go
     */
    static StageMetrics register(String dataNode) {
        String name = "DuplicateReads-" + dataNode.replace(':', '-');
        return DefaultMetricsSystem.instance().register(name, null, new StageMetrics(name));
    }

    void unregister() {
        DefaultMetricsSystem.instance().unregisterSource(name);
    }

    void queued() {
        queued.incr();
    }

    void started(long waitedMillis) {
        started.incr();
        wait.add(waitedMillis);
    }

    void purgedWaiting() {
        purgedWaiting.incr();
    }

    void purgedServed() {
        purgedServed.incr();
    }

    void turnedAway() {
        turnedAway.incr();
    }

    void yields() {
        yields.incr();
    }

    void yielded(long millis) {
        yieldMillis.incr(millis);
    }

    void level(int most) {
        level.set(most);
    }

    void served(long bytes) {
        bytesServed.incr(bytes);
    }
}
