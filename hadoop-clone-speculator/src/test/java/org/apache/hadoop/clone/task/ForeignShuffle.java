package org.apache.hadoop.clone.task;

import org.apache.hadoop.mapreduce.task.reduce.Shuffle;

/** A shuffle that isn't Hadoop's own, as far as its name goes. */
public final class ForeignShuffle<K, V> extends Shuffle<K, V> {}
