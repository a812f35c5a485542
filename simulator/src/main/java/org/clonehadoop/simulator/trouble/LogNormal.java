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
package org.clonehadoop.simulator.trouble;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.clonehadoop.benchmarks.straggler.Slowdown;
import org.clonehadoop.simulator.engine.Draws;

/**
 * The paper's stragglers: each attempt waits in proportion to its work, log-normally. By the
 * benchmarks' own injector, so that in a real run with the same seed the same attempts straggle.
 *
 * @param scale the median of the waiting over the work
 * @param shape σ
 * @param most nobody waits for more, over the work
 * @param seed of the injector; empty for the simulated job's own
 */
public record LogNormal(double scale, double shape, double most, OptionalLong seed)
        implements Trouble {
    /**
     * Nobody waits for more: at shape 10 a single attempt would be all there is to a mean. The
     * paper's jobs took 45 minutes at most.
     */
    private static final double MOST = 100;

    private static final Map<Drawn, Slowdown> DRAWN = new ConcurrentHashMap<>();

    private record Drawn(double scale, double shape, long seed) {
        Slowdown slowdown() {
            Configuration conf = new Configuration(false);
            conf.setDouble(Slowdown.SCALE, scale);
            conf.setDouble(Slowdown.SHAPE, shape);
            conf.setLong(Slowdown.SEED, seed);
            return new Slowdown(conf);
        }
    }

    public LogNormal(double scale, double shape) {
        this(scale, shape, MOST);
    }

    public LogNormal(double scale, double shape, double most) {
        this(scale, shape, most, OptionalLong.empty());
    }

    /** The same attempts straggle as in a real run with this seed, whatever other luck there is. */
    public LogNormal withSeed(long seed) {
        return new LogNormal(scale, shape, most, OptionalLong.of(seed));
    }

    @Override
    public double brake(TaskAttemptId attempt, double done, Draws draws) {
        double slowdown =
                DRAWN.computeIfAbsent(
                                new Drawn(scale, shape, seed.orElse(draws.seed())), Drawn::slowdown)
                        .of(TaskAttemptID.downgrade(TypeConverter.fromYarn(attempt)));
        return 1 + Math.min(most, slowdown);
    }
}
