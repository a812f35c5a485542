/**
 * HDFS output streams that survive the cloning of their process: {@link
 * org.apache.hadoop.clone.hdfs.OpenStreams} is where to begin.
 */
package org.apache.hadoop.clone.hdfs;
