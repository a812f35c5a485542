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
/**
 * The plugin of a DataNode: a second port, behind which duplicates wait for their turn, and then
 * are served by Hadoop's own xceivers.
 *
 * <p>A connection goes through {@link org.apache.hadoop.clone.hdfs.read.datanode.StageAcceptor},
 * which reads its header and sees its end; through a stage of {@link
 * org.apache.hadoop.clone.hdfs.read.datanode.VolumeStages}, one for each volume; and when its turn
 * has come through {@link org.apache.hadoop.clone.hdfs.read.datanode.StagedXceivers}, with a thread
 * of its own. {@link org.apache.hadoop.clone.hdfs.read.datanode.Presence} knows whether anybody
 * else uses a volume: then duplicates don't begin, and {@link
 * org.apache.hadoop.clone.hdfs.read.datanode.YieldingThrottler} holds those that have begun, before
 * their next packet.
 *
 * <p>Nothing here is on a primary's way, unless its client sends it here. Whatever fails ends a
 * connection of this port, and no more.
 */
@InterfaceAudience.Private
package org.apache.hadoop.clone.hdfs.read.datanode;

import org.apache.hadoop.classification.InterfaceAudience;
