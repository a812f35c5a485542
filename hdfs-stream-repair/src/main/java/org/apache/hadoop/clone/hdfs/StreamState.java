package org.apache.hadoop.clone.hdfs;

import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * What is in HDFS of a file whose stream has been flushed and holds still.
 *
 * @param path as it was opened
 * @param fileId of the NameNode; a file can be found by it wherever it has been moved
 * @param lastBlock the block last begun, with its length; none if nothing was written
 * @param openBytes how many bytes of the last block there are if it isn't finished; 0 if it is
 */
record StreamState(String path, long fileId, Optional<ExtendedBlock> lastBlock, long openBytes) {}
