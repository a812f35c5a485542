/** The DataNode's plugin that links blocks. */
package org.apache.hadoop.clone.hdfs.datanode;
