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
package org.apache.hadoop.mapreduce.task.reduce;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;

/** Stock's scheduler, with its penalties in reach of subclasses elsewhere. */
@InterfaceAudience.Private
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
