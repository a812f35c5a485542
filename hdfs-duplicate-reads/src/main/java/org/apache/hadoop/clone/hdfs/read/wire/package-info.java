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
 * What a duplicate's client and a DataNode's stage say to each other before the first byte of
 * Hadoop's own protocol: one {@link org.apache.hadoop.clone.hdfs.read.wire.StageHeader}, one {@link
 * org.apache.hadoop.clone.hdfs.read.wire.StageAnswer}. A connection that waits in between is
 * silent: whatever can be read from it is its end.
 */
@InterfaceAudience.Private
package org.apache.hadoop.clone.hdfs.read.wire;

import org.apache.hadoop.classification.InterfaceAudience;
