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
