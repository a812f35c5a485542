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
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskStatus;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.Fetcher;
import org.apache.hadoop.mapreduce.task.reduce.MergeManager;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;

/** Stock's shuffle, with stock's fetchers and merger, of spills. */
final class PerSpillShuffle<K, V> implements ShuffleConsumerPlugin<K, V>, ExceptionReporter {
    private static final int PROGRESS_MILLIS = 2000;
    private static final int FETCHERS = 5;

    private final SpillProtocol appMaster;
    private Context<K, V> context;
    private SpillScheduler<K, V> scheduler;
    private MergeManager<K, V> merger;
    private Throwable failure;
    private String failedThread;

    PerSpillShuffle(SpillProtocol appMaster) {
        this.appMaster = appMaster;
    }

    @Override
    public void init(Context<K, V> of) {
        context = of;
        scheduler = new SpillScheduler<>(of, this);
        merger =
                new MergeManagerImpl<>(
                        of.getReduceId(),
                        of.getJobConf(),
                        of.getLocalFS(),
                        of.getLocalDirAllocator(),
                        of.getReporter(),
                        of.getCodec(),
                        of.getCombinerClass(),
                        of.getCombineCollector(),
                        of.getSpilledRecordsCounter(),
                        of.getReduceCombineInputCounter(),
                        of.getMergedMapOutputsCounter(),
                        this,
                        of.getMergePhase(),
                        of.getMapOutputFile());
    }

    @Override
    public RawKeyValueIterator run() throws IOException, InterruptedException {
        SpillPoller poller =
                new SpillPoller(
                        appMaster, TaskAttemptID.downgrade(context.getReduceId()), scheduler, this);
        poller.start();
        List<Fetcher<K, V>> fetchers = startFetchers();
        while (!scheduler.waitUntilDone(PROGRESS_MILLIS)) {
            context.getReporter().progress();
            throwFailure();
        }
        poller.shutDown();
        for (Fetcher<K, V> fetcher : fetchers) {
            fetcher.shutDown();
        }
        scheduler.close();
        context.getCopyPhase().complete();
        context.getStatus().setPhase(TaskStatus.Phase.SORT);
        context.getReduceTask().statusUpdate(context.getUmbilical());
        RawKeyValueIterator records = mergedRecords();
        throwFailure();
        return records;
    }

    private List<Fetcher<K, V>> startFetchers() {
        int count = context.getJobConf().getInt(MRJobConfig.SHUFFLE_PARALLEL_COPIES, FETCHERS);
        ShuffleClientMetrics metrics =
                ShuffleClientMetrics.create(context.getReduceId(), context.getJobConf());
        List<Fetcher<K, V>> fetchers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Fetcher<K, V> fetcher =
                    new Fetcher<>(
                            context.getJobConf(),
                            context.getReduceId(),
                            scheduler,
                            merger,
                            context.getReporter(),
                            metrics,
                            this,
                            context.getReduceTask().getShuffleSecret());
            fetcher.start();
            fetchers.add(fetcher);
        }
        return fetchers;
    }

    private RawKeyValueIterator mergedRecords() throws IOException {
        try {
            return merger.close();
        } catch (Throwable e) { // so it is declared
            throw new IOException("Error in the final merge of the shuffle", e);
        }
    }

    private synchronized void throwFailure() throws IOException {
        if (failure != null) {
            throw new IOException("Error in the shuffle in " + failedThread, failure);
        }
    }

    @Override
    public void reportException(Throwable thrown) {
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = thrown;
            failedThread = Thread.currentThread().getName();
        }
        synchronized (scheduler) {
            scheduler.notifyAll();
        }
    }

    @Override
    public void close() {}
}
