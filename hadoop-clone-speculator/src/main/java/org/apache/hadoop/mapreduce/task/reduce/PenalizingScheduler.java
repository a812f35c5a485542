package org.apache.hadoop.mapreduce.task.reduce;

import org.apache.hadoop.mapred.ShuffleConsumerPlugin;

/** Stock's scheduler, with its penalties in reach of subclasses elsewhere. */
public abstract class PenalizingScheduler<K, V> extends ShuffleSchedulerImpl<K, V> {
    protected PenalizingScheduler(
            ShuffleConsumerPlugin.Context<K, V> context, ExceptionReporter reporter) {
        super(
                context.getJobConf(),
                context.getStatus(),
                context.getReduceId(),
                reporter,
                context.getCopyPhase(),
                context.getShuffledMapsCounter(),
                context.getReduceShuffleBytes(),
                context.getFailedShuffleCounter());
    }

    /** Nothing is fetched from the host for so long. */
    protected final void avoid(MapHost host, long millis) {
        penalize(host, millis);
    }
}
