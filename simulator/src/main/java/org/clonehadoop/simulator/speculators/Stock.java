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
package org.clonehadoop.simulator.speculators;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.clonehadoop.benchmarks.feed.FeedPlayer;

/** Hadoop's {@link DefaultSpeculator}; what its thread does between two waits is called instead. */
final class Stock implements FeedPlayer.Listener {
    private final AppContext context;
    private final DefaultSpeculator speculator;
    private final Method compute;
    private long nextMillis = Long.MIN_VALUE;

    Stock(Configuration conf, AppContext context) {
        this.context = context;
        speculator = new DefaultSpeculator(conf, context);
        speculator.init(conf);
        try {
            compute = DefaultSpeculator.class.getDeclaredMethod("computeSpeculations");
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("not the DefaultSpeculator that is known here", e);
        }
        compute.setAccessible(true);
    }

    @Override
    public void handle(SpeculatorEvent event) {
        speculator.handle(event);
    }

    @Override
    public void look() {
        long now = context.getClock().getTime();
        if (now < nextMillis) {
            return;
        }
        long wait =
                compute() > 0
                        ? speculator.getSoonestRetryAfterSpeculate()
                        : speculator.getSoonestRetryAfterNoSpeculate();
        nextMillis = now + wait;
    }

    private int compute() {
        try {
            return (int) compute.invoke(speculator);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("stock's speculator failed", e.getCause());
        }
    }
}
