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
package org.apache.hadoop.clone.speculate;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.AppContext;

/** Our speculator, whose looks are timed; there is none as long as nobody measures. */
public final class TimedSpeculator extends CloneSpeculator {
    private final LatencyLog looks;

    public TimedSpeculator(
            Configuration conf, AppContext context, Cloner cloner, LatencyLog looks) {
        super(conf, context, cloner);
        this.looks = looks;
    }

    @Override
    int scan() {
        if (!looks.isOpen()) {
            return 0;
        }
        long before = System.nanoTime();
        int started = super.scan();
        looks.record(System.nanoTime() - before);
        return started;
    }
}
