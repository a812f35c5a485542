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
package org.clonehadoop.simulator.platform;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.clonehadoop.simulator.engine.MaxMin;
import org.clonehadoop.simulator.engine.Timeline;

/**
 * A host, and the work that goes on there at once. Each piece of work proceeds at the speed that
 * its scarcest resource allows; each resource is shared max-min fairly. Speeds are worked out anew
 * whenever work begins or ends there, or the host itself becomes faster or slower.
 */
public final class SimHost {
    private static final Resource[] RESOURCES = Resource.values();

    /** After so many rounds what one resource leaves idle for another's sake is given out again. */
    private static final int ROUNDS = 3;

    /** Work that is done but for a rounding error is done. */
    private static final double NEARLY = 1e-9;

    private final String name;
    private final HostSpec spec;
    private final Timeline timeline;

    /** Null for a host that is a machine itself. */
    private final Machine machine;

    private final Map<Resource, Double> factors = new EnumMap<>(Resource.class);
    private final List<Activity> activities = new ArrayList<>();
    private boolean lost;

    /** A piece of work under way. */
    public final class Activity {
        private final Load load;
        private final double brake;
        private final Runnable whenDone;
        private double done;
        private double perMilli;
        private long since;
        private Timeline.Alarm alarm;

        private Activity(Load load, double brake, Runnable whenDone) {
            this.load = load;
            this.brake = brake;
            this.whenDone = whenDone;
            done = load.equals(Load.NONE) && Double.isFinite(brake) ? 1 : 0;
            since = timeline.getTime();
        }

        /** The share of it that is done, from 0 to 1. */
        public double done() {
            return Math.min(1, done + perMilli * (timeline.getTime() - since));
        }

        /** It ends as it is, and its end is no event any more. */
        public void stop() {
            settle();
            if (alarm != null) {
                alarm.cancel();
            }
            if (activities.remove(this)) {
                share();
            }
        }

        private SimHost host() {
            return SimHost.this;
        }

        private void settle() {
            done = done();
            since = timeline.getTime();
        }

        private void proceed(double speed) {
            double before = perMilli;
            perMilli = Double.isFinite(speed) ? speed / 1000 : 0;
            if (alarm != null && perMilli == before) {
                return; // it ends when it was to end
            }
            if (alarm != null) {
                alarm.cancel();
                alarm = null;
            }
            if (done >= 1 - NEARLY) {
                alarm = timeline.after(0, this::end);
            } else if (perMilli > 0) {
                alarm = timeline.after((long) Math.ceil((1 - done) / perMilli), this::end);
            }
        }

        private void end() {
            activities.remove(this);
            done = 1;
            perMilli = 0;
            share();
            whenDone.run();
        }
    }

    public SimHost(String name, HostSpec spec, Timeline timeline) {
        this(name, spec, timeline, null);
    }

    /** A part of a machine. */
    public SimHost(String name, HostSpec spec, Timeline timeline, Machine machine) {
        this.name = name;
        this.spec = spec;
        this.timeline = timeline;
        this.machine = machine;
        if (machine != null) {
            machine.add(this);
        }
        for (Resource resource : RESOURCES) {
            factors.put(resource, 1.0);
        }
    }

    public String name() {
        return name;
    }

    /**
     * From now on the host has only so much of what it had at first.
     *
     * @param factor 0 or more
     */
    public void slowDown(Resource resource, double factor) {
        factors.put(resource, factor);
        share();
    }

    /**
     * Begins a piece of work.
     *
     * @param brake it takes so many times as long as its resources allow; infinite if it hangs
     */
    public Activity begin(Load load, double brake, Runnable whenDone) {
        Activity activity = new Activity(load, brake, whenDone);
        activities.add(activity);
        share();
        return activity;
    }

    /** From now on nothing goes on here any more, and nobody is told. */
    public void lose() {
        lost = true;
        share();
    }

    public boolean isLost() {
        return lost;
    }

    private double capacity(Resource resource) {
        if (lost) {
            return 0;
        }
        double own = spec.of(resource) * factors.get(resource);
        return machine == null ? own : own * machine.pace(resource);
    }

    /**
     * How quick a processor is for what a clone needs done here, beside all that runs here: 1 for a
     * whole one.
     */
    public double quickness() {
        return speed(new Load(1, 0, 0), 1, null);
    }

    /** All that shares something with what goes on here. */
    private List<Activity> together() {
        if (machine == null) {
            return activities;
        }
        List<Activity> all = new ArrayList<>();
        machine.hosts().forEach(host -> all.addAll(host.activities));
        return all;
    }

    /**
     * How fast work would proceed beside what goes on here now.
     *
     * @param instead of this, which may be null
     * @return the share of it that is done in a second; 0 if it hangs, infinite for no work at all
     */
    public double speed(Load load, double brake, Activity instead) {
        List<Activity> all = new ArrayList<>(together());
        all.remove(instead);
        all.add(new Activity(load, brake, () -> {}));
        return speeds(all)[all.size() - 1];
    }

    private void share() {
        List<Activity> all = together();
        all.forEach(Activity::settle);
        double[] speeds = speeds(all);
        for (int i = 0; i < speeds.length; i++) {
            all.get(i).proceed(speeds[i]);
        }
    }

    private double[] speeds(List<Activity> all) {
        double[][] limits = new double[RESOURCES.length][all.size()];
        for (Resource resource : RESOURCES) {
            Arrays.setAll(limits[resource.ordinal()], i -> alone(all.get(i), resource));
        }
        double[] unshared = speeds(limits);
        if (suffices(all, unshared)) {
            return unshared;
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (Resource resource : RESOURCES) {
                limits[resource.ordinal()] = limits(all, resource, limits);
            }
        }
        return speeds(limits);
    }

    private static double[] speeds(double[][] limits) {
        double[] speeds = new double[limits[0].length];
        Arrays.setAll(speeds, i -> least(limits, i, null));
        return speeds;
    }

    /** Whether all can be so fast at once. */
    private boolean suffices(List<Activity> all, double[] speeds) {
        for (Resource resource : RESOURCES) {
            double[] wanted = new double[speeds.length];
            for (int i = 0; i < speeds.length; i++) {
                double amount = all.get(i).load.of(resource);
                wanted[i] = amount > 0 ? speeds[i] * amount : 0;
            }
            if (!suffices(resource, all, wanted)) {
                return false;
            }
        }
        return true;
    }

    private boolean suffices(Resource resource, List<Activity> all, double[] wanted) {
        if (machine == null) {
            return sum(wanted) <= capacity(resource);
        }
        return sum(wanted) <= machine.capacity(resource)
                && machine.hosts().stream()
                        .allMatch(
                                host ->
                                        sum(some(wanted, ofHost(host, all)))
                                                <= host.capacity(resource));
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }

    private static double[] some(double[] values, int[] numbers) {
        return Arrays.stream(numbers).mapToDouble(i -> values[i]).toArray();
    }

    /** The numbers of what goes on there. */
    private static int[] ofHost(SimHost host, List<Activity> all) {
        return IntStream.range(0, all.size()).filter(i -> all.get(i).host() == host).toArray();
    }

    /** How fast it would be if there were nobody else, by one resource; per second. */
    private static double alone(Activity activity, Resource resource) {
        SimHost host = activity.host();
        if (Double.isInfinite(activity.brake) || host.lost) {
            return 0;
        }
        double amount = activity.load.of(resource);
        double most = host.capacity(resource);
        if (resource == Resource.CPU) {
            most = Math.min(host.machine == null ? 1 : host.machine.pace(resource), most);
        }
        double speed = amount > 0 ? most / amount : Double.POSITIVE_INFINITY;
        double waiting = activity.load.idle();
        return (waiting > 0 ? Math.min(speed, 1 / waiting) : speed) / activity.brake;
    }

    /** What one resource allows each, who wants no more of it than the others allow. */
    private double[] limits(List<Activity> all, Resource resource, double[][] before) {
        double[] demands = new double[all.size()];
        for (int i = 0; i < demands.length; i++) {
            double amount = all.get(i).load.of(resource);
            double speed = Math.min(least(before, i, resource), alone(all.get(i), resource));
            demands[i] = amount > 0 ? speed * amount : 0;
        }
        double[] shares = shares(resource, all, demands);
        for (int i = 0; i < shares.length; i++) {
            double amount = all.get(i).load.of(resource);
            shares[i] = amount > 0 ? shares[i] / amount : Double.POSITIVE_INFINITY;
        }
        return shares;
    }

    /** Max-min fair, as the machine shares what it has. */
    private double[] shares(Resource resource, List<Activity> all, double[] demands) {
        if (machine == null) {
            return MaxMin.shares(capacity(resource), demands);
        }
        List<SimHost> hosts = machine.hosts();
        int[][] groups = hosts.stream().map(host -> ofHost(host, all)).toArray(int[][]::new);
        double[] most = hosts.stream().mapToDouble(host -> host.capacity(resource)).toArray();
        double whole = machine.capacity(resource);
        if (machine.hasEqualHosts()) {
            // Three tasks of one host get as much as one of another.
            double[] wanted = new double[groups.length];
            Arrays.setAll(wanted, i -> Math.min(most[i], sum(some(demands, groups[i]))));
            return within(groups, MaxMin.shares(whole, wanted), demands);
        }
        return MaxMin.shares(whole, within(groups, most, demands));
    }

    /**
     * @param groups numbers of demands
     * @param given to each group
     * @return what each demand gets of its group's
     */
    private static double[] within(int[][] groups, double[] given, double[] demands) {
        double[] shares = new double[demands.length];
        for (int group = 0; group < groups.length; group++) {
            int[] its = groups[group];
            double[] ofThese = MaxMin.shares(given[group], some(demands, its));
            for (int i = 0; i < its.length; i++) {
                shares[its[i]] = ofThese[i];
            }
        }
        return shares;
    }

    private static double least(double[][] limits, int activity, Resource but) {
        double least = Double.POSITIVE_INFINITY;
        for (Resource resource : RESOURCES) {
            if (resource != but) {
                least = Math.min(least, limits[resource.ordinal()][activity]);
            }
        }
        return least;
    }
}
