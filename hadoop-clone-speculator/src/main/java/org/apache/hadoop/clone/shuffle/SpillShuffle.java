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
package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;
import org.apache.hadoop.clone.protocol.AppMasterClient;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The value for {@value org.apache.hadoop.mapreduce.MRConfig#SHUFFLE_CONSUMER_PLUGIN}. It is
 * stock's shuffle wherever the AppMaster hasn't asked for per-spill outputs.
 */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public final class SpillShuffle<K, V> implements ShuffleConsumerPlugin<K, V> {
    /** Name of the thread that asks for news of spills. */
    public static final String THREAD = "clone-spill-poller";

    private static final Logger LOG = LoggerFactory.getLogger(SpillShuffle.class);

    private ShuffleConsumerPlugin<K, V> shuffle;

    @Override
    public void init(Context<K, V> context) {
        Optional<String> appMaster = SpillMarker.of(context.getReduceId().getJobID());
        shuffle = appMaster.isEmpty() ? new Shuffle<>() : perSpill(context, appMaster.get());
        shuffle.init(context);
    }

    private static <K, V> ShuffleConsumerPlugin<K, V> perSpill(
            Context<K, V> context, String appMaster) {
        Optional<String> obstacle = HadoopLine.obstacleHere();
        try {
            SpillProtocol spills =
                    new AppMasterClient(appMaster, context.getReduceId().getJobID())
                            .connect(
                                    SpillProtocol.class,
                                    SpillProtocol.versionID,
                                    context.getJobConf());
            if (obstacle.isPresent()) {
                // Stock's would take the maps that it can't fetch from for failed ones.
                awaitKill(spills, TaskAttemptID.downgrade(context.getReduceId()), obstacle.get());
            }
            return new PerSpillShuffle<>(spills);
        } catch (IOException e) {
            throw new UncheckedIOException("No way to the AppMaster at " + appMaster, e);
        }
    }

    /**
     * @throws IllegalStateException if nobody kills this attempt, so that it fails
     */
    private static void awaitKill(SpillProtocol spills, TaskAttemptID reduce, String obstacle)
            throws IOException {
        LOG.warn("No way to fetch spills here: {}", obstacle);
        try {
            if (spills.startElsewhere(reduce, obstacle)) {
                Thread.sleep(SpillPoller.KILL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("No way to fetch spills here: " + obstacle);
    }

    @Override
    public RawKeyValueIterator run() throws IOException, InterruptedException {
        return shuffle.run();
    }

    @Override
    public void close() {
        shuffle.close();
    }
}
