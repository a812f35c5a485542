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
package org.apache.hadoop.clone.appmaster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.speculate.ReduceYield;
import org.apache.hadoop.clone.speculate.SpeculationRules;
import org.apache.hadoop.clone.speculate.YieldOutlook;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.platform.SimHost;

/** The real {@link AttemptPlacement} and {@link ReduceYields}, on a cluster with one rack. */
public final class PlacementDoor implements CloneLead.Placement {
    private static final String RACK = "/default-rack";

    /** Of all containers. */
    private static final Resource SIZE = Resource.newInstance(1024, 1);

    private final AttemptPlacement placement;
    private final PlacementRules rules;
    private final boolean reducesYield;
    private final Supplier<ReduceYields> making;
    private ReduceYields yields;

    /**
     * @param rules of the placement
     * @param speculation of reduces that give way
     * @param outlook is asked for at the first tick
     * @param clones which attempts began as clones
     */
    public PlacementDoor(
            CloneLead.Site site,
            Configuration conf,
            PlacementRules rules,
            SpeculationRules speculation,
            Supplier<YieldOutlook> outlook,
            Predicate<TaskAttemptId> clones) {
        this.rules = rules;
        placement =
                new AttemptPlacement(
                        site.context(),
                        clones,
                        conf.getBoolean(
                                CloneKeys.AVOID_SLOW_HOSTS, CloneKeys.AVOID_SLOW_HOSTS_DEFAULT),
                        rules.reportedEach(MRJobConfUtil.getTaskProgressReportInterval(conf)));
        reducesYield = ReduceYield.isWanted(conf);
        making =
                () ->
                        new ReduceYields(
                                site.context(),
                                placement,
                                outlook.get(),
                                (urgent, reduce, asked) ->
                                        site.askUrgently(
                                                urgent.getAttemptID(),
                                                List.of(urgent.getHosts()),
                                                asked),
                                speculation);
    }

    @Override
    public List<String> request(TaskAttemptId attempt, List<String> stock) {
        return List.of(
                placement
                        .request(
                                new ContainerRequestEvent(
                                        attempt,
                                        SIZE,
                                        stock.toArray(String[]::new),
                                        new String[] {RACK}))
                        .getHosts());
    }

    @Override
    public void willAsk(TaskAttemptId attempt) {
        request(attempt, List.of());
    }

    @Override
    public boolean refuse(TaskAttemptId attempt, SimHost host) {
        return placement.refuse(attempt, container(host));
    }

    private static Container container(SimHost host) {
        return Container.newInstance(
                null, NodeId.newInstance(host.name(), 1), null, SIZE, null, null);
    }

    @Override
    public Map<TaskAttemptId, List<String>> due() {
        Map<TaskAttemptId, List<String>> due = new LinkedHashMap<>();
        placement
                .due()
                .forEach(request -> due.put(request.getAttemptID(), List.of(request.getHosts())));
        return due;
    }

    @Override
    public Set<String> withheld() {
        return placement.withheld();
    }

    @Override
    public void changed(TaskAttempt attempt) {
        placement.changed(attempt);
    }

    @Override
    public void cameFree(SimHost host) {
        placement.cameFree(host.name());
    }

    @Override
    public void forget(TaskAttemptId attempt) {
        placement.forget(attempt);
    }

    @Override
    public long hurriedMillis() {
        return rules.hurriedMillis();
    }

    @Override
    public int hurries() {
        return rules.hurries();
    }

    @Override
    public void tick() {
        if (reducesYield) {
            yields().look();
        }
    }

    private ReduceYields yields() {
        yields = yields == null ? making.get() : yields;
        return yields;
    }

    @Override
    public Optional<TaskAttemptId> taker(TaskAttemptId reduce, SimHost host) {
        return reducesYield && placement.isWantedByMap(reduce, container(host))
                ? yields().taker(reduce, host.name()).filter(map -> placement.take(map).isPresent())
                : Optional.empty();
    }
}
