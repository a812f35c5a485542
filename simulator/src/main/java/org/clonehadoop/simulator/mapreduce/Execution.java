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
package org.clonehadoop.simulator.mapreduce;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.mapreduce.v2.api.records.Phase;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.platform.SimHost;

/** An attempt's work, as it goes on on a host. */
final class Execution {
    /**
     * How far it has come.
     *
     * @param stage the number of the stage that it is in
     * @param done the share of that stage, from 0 to 1
     */
    record Position(int stage, double done) {
        static final Position BEGIN = new Position(0, 0);
    }

    /** Who wants to know. */
    interface Listener {
        /** Its JVM is up; of a clone that is so from the beginning. */
        void started();

        void published(double share);

        /** A new phase of its work has begun. */
        void entered();

        /** A reduce has all of its input. */
        void fetched();

        void ended();
    }

    private final List<Stage> stages;
    private final SimHost host;
    private final MapOutputs outputs;
    private final double[] brakes;
    private final Listener listener;
    private Position position;
    private double chunk;
    private SimHost.Activity activity;
    private boolean stopped;

    /**
     * @param outputs what a reduce fetches
     * @param brakes how many times as long as by itself each stage takes
     */
    Execution(
            List<Stage> stages,
            Position begin,
            SimHost host,
            MapOutputs outputs,
            double[] brakes,
            Listener listener) {
        this.stages = stages;
        this.position = begin;
        this.host = host;
        this.outputs = outputs;
        this.brakes = brakes;
        this.listener = listener;
    }

    /** From where it is. */
    void go() {
        stopped = false;
        if (position.stage() > 0 || stages.get(0).phase() != Phase.STARTING) {
            listener.started();
        }
        work();
    }

    /** It stands still where it is, until it goes on. */
    void halt() {
        position = position();
        stopped = true;
        if (activity != null) {
            activity.stop();
            activity = null;
        }
    }

    /** As {@link #go}, without a new beginning. */
    void goOn() {
        stopped = false;
        work();
    }

    Position position() {
        if (activity == null) {
            return position;
        }
        return new Position(position.stage(), position.done() + chunk * activity.done());
    }

    double progress() {
        Position now = position();
        return stage().progress(now.done());
    }

    /** What the rest takes an attempt that nothing slows down, and that has a host for itself. */
    double leastMillis(HostSpec spec) {
        Position now = position();
        double seconds = (1 - now.done()) * spec.seconds(stages.get(now.stage()).load());
        for (Stage stage : stages.subList(now.stage() + 1, stages.size())) {
            seconds += spec.seconds(stage.load());
        }
        return 1000 * seconds;
    }

    /**
     * Until it would end, were its host and what else runs there to stay as they are, and all that
     * it fetches there; infinite if it hangs. It need not have begun.
     */
    double remainingMillis() {
        return millisTo(stages.size() - 1);
    }

    /**
     * Until it next publishes an output, by the same; infinite if it doesn't any more, or hangs.
     */
    double publishesInMillis() {
        for (int i = position.stage(); i < stages.size(); i++) {
            if (stages.get(i).published() > 0) {
                return millisTo(i);
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** Until that stage would end. */
    private double millisTo(int last) {
        Position now = position();
        double seconds = 0;
        double speed = 0;
        for (int i = now.stage(); i <= last; i++) {
            double left = i == now.stage() ? 1 - now.done() : 1;
            boolean asBefore =
                    i > now.stage()
                            && stages.get(i).load() == stages.get(i - 1).load()
                            && brakes[i] == brakes[i - 1];
            if (!asBefore) {
                speed = hostOf(stages.get(i)).speed(stages.get(i).load(), brakes[i], activity);
            }
            seconds += left > 0 ? left / speed : 0;
        }
        return 1000 * seconds;
    }

    Phase phase() {
        return stage().phase();
    }

    /** Whether the task's own work has begun: its JVM, and its classes, are there. */
    boolean isUnderWay() {
        return !stage().isBefore();
    }

    /** Whether nothing that it does now ever ends. */
    boolean hangs() {
        return Double.isInfinite(brakes[position.stage()]);
    }

    /** Whether it is in the midst of a record that is longer than others. */
    boolean isAtLongRecord() {
        return isUnderWay() && stage().from() == stage().to() && phase() != Phase.SORT;
    }

    /** Whether it is a map that sorts, and has yet to write what it sorts. */
    boolean isSorting() {
        return phase() == Phase.SORT && stage().published() == 0;
    }

    /** Whether it waits for a map's output that comes slowly. */
    boolean isAtLongFetch() {
        return stage().isFromSlowSource();
    }

    /** Where there is what it needs. */
    private SimHost hostOf(Stage stage) {
        return stage.isFromSlowSource() ? outputs.slowLink() : host;
    }

    private Stage stage() {
        return stages.get(position.stage());
    }

    private void work() {
        if (stopped) {
            return;
        }
        boolean fetches = stage().fetches();
        double until = fetches ? outputs.share() : 1;
        if (fetches && until <= position.done() && until < 1) {
            outputs.onceThereIsMore(this::workUnlessAtWork);
            return;
        }
        chunk = until - position.done();
        activity =
                hostOf(stage())
                        .begin(
                                stage().load().times(chunk),
                                brakes[position.stage()],
                                () -> chunkIsDone(until));
    }

    private void workUnlessAtWork() {
        if (activity == null) {
            work();
        }
    }

    /**
     * Of each stage.
     *
     * @param brake by the share of its records that an attempt has behind it
     */
    static double[] brakes(List<Stage> stages, ToDoubleFunction<Double> brake) {
        long all = stages.stream().filter(Stage::handlesRecords).count();
        double[] brakes = new double[stages.size()];
        int behind = 0; // counted, since of sums of progress half may be a little less
        for (int i = 0; i < brakes.length; i++) {
            boolean records = stages.get(i).handlesRecords();
            brakes[i] = records ? brake.applyAsDouble((double) behind++ / all) : 1;
        }
        return brakes;
    }

    private void chunkIsDone(double until) {
        activity = null;
        if (until < 1) {
            position = new Position(position.stage(), until);
            work();
            return;
        }
        Stage ended = stage();
        if (ended.published() > 0) {
            listener.published(ended.published());
        }
        if (ended.fetches() && !stages.get(position.stage() + 1).fetches()) {
            listener.fetched();
        }
        if (position.stage() == stages.size() - 1) {
            position = new Position(position.stage(), 1);
            listener.ended();
            return;
        }
        position = new Position(position.stage() + 1, 0);
        if (ended.phase() == Phase.STARTING) {
            listener.started();
        } else if (ended.phase() != phase()) {
            listener.entered();
        }
        work();
    }
}
