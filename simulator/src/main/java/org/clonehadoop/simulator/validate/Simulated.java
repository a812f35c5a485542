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
package org.clonehadoop.simulator.validate;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.clonehadoop.benchmarks.harness.Series;
import org.clonehadoop.simulator.mapreduce.RunRecord;

/** One job simulated with several lucks, since a real run's luck isn't known. */
record Simulated(List<RunRecord> runs) {
    private static final int LUCKS = 5;

    static Simulated of(Counterpart job, double pace) {
        return new Simulated(
                LongStream.rangeClosed(1, LUCKS)
                        .mapToObj(luck -> job.simulate(pace, luck))
                        .toList());
    }

    double seconds() {
        return Series.of(runs.stream().mapToDouble(RunRecord::jobSeconds).toArray()).median();
    }

    /** Tasks that most of the runs gave a second attempt. */
    Set<String> speculated() {
        Set<String> most = new TreeSet<>();
        for (RunRecord run : runs) {
            for (String task : run.speculated()) {
                long count = runs.stream().filter(one -> one.speculated().contains(task)).count();
                if (2 * count > runs.size()) {
                    most.add(task);
                }
            }
        }
        return most;
    }

    /**
     * How many tasks of a kind got a second attempt, in the run in the middle.
     *
     * @param kind as a task's name begins
     */
    int speculated(char kind) {
        return (int)
                Series.of(runs.stream().mapToDouble(run -> count(run.speculated(), kind)).toArray())
                        .median();
    }

    /** How many of these tasks are of that kind. */
    static int count(Collection<String> tasks, char kind) {
        return (int) tasks.stream().filter(task -> task.charAt(0) == kind).count();
    }

    /** In the mean of all clones; empty if none ran. */
    Optional<Double> orderToRunningMillis() {
        return perClone(runs.stream().mapToDouble(RunRecord::orderToRunningMillis).sum());
    }

    /** As {@link #orderToRunningMillis}. */
    Optional<Double> freezeMillis() {
        return perClone(runs.stream().mapToDouble(RunRecord::frozenMillis).sum());
    }

    private Optional<Double> perClone(double sum) {
        int clones = runs.stream().mapToInt(RunRecord::ranClones).sum();
        return clones == 0 ? Optional.empty() : Optional.of(sum / clones);
    }
}
