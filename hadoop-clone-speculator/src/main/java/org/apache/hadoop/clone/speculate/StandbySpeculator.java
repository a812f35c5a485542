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

import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;

/**
 * Stock's speculator beside ours: it hears all from the beginning, so that it can decide as soon as
 * ours is switched off, and orders nothing as long as ours isn't.
 */
final class StandbySpeculator extends DefaultSpeculator {
    private final Consumer<TaskId> orders;
    // Not its own monitor, which it holds while it takes events.
    private final Object deciding = new Object();
    private boolean looks;
    private boolean decides;

    /**
     * @param orders is told which tasks get another attempt by it, before they do
     */
    StandbySpeculator(Configuration conf, AppContext context, Consumer<TaskId> orders) {
        super(conf, context);
        this.orders = orders;
    }

    /** Its looks at all tasks are dear, so they begin with the first that is wanted. */
    @Override
    protected void serviceStart() {
        // See decides().
    }

    /** Whether it decides from now on; once this has returned it orders nothing if it doesn't. */
    void decides(boolean now) {
        synchronized (deciding) {
            decides = now;
            if (now && !looks) {
                looks = true;
                begin();
            }
        }
    }

    private void begin() {
        try {
            super.serviceStart();
        } catch (Exception e) {
            throw new IllegalStateException("stock's speculator can't begin", e);
        }
    }

    @Override
    protected void addSpeculativeAttempt(TaskId task) {
        synchronized (deciding) {
            if (decides) {
                orders.accept(task);
                super.addSpeculativeAttempt(task);
            }
        }
    }
}
