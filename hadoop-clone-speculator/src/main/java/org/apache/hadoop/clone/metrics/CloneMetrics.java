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
package org.apache.hadoop.clone.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * The figures as Hadoop's metrics; in JMX as {@code Hadoop:service=MRAppMaster,name=CloneMetrics}.
 * Their names are made of those of counters, states, outcomes and reasons, so that none is missing;
 * annotated fields would have to name each again.
 */
@InterfaceAudience.Private
public final class CloneMetrics implements MetricsSource {
    /** The source's, and its records'. */
    public static final String NAME = "CloneMetrics";

    private final Supplier<CloneFigures> figures;

    /**
     * @param figures is asked at each sample; must return at once
     */
    public CloneMetrics(Supplier<CloneFigures> figures) {
        this.figures = figures;
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        CloneFigures now = figures.get();
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("mapred");
        record.tag(Interns.info("JobId", "The job"), now.job());
        record.addGauge(info("On", "1 if operators let the job clone, 0 if not"), now.on() ? 1 : 0);
        record.addGauge(
                info(
                        "ExtraContainerMillis",
                        "For how long tasks have had containers for second attempts"),
                now.extraContainerMillis());
        now.counters()
                .forEach(
                        (name, value) ->
                                record.addCounter(
                                        info(camel(name), "The job's counter " + name), value));
        now.underWay()
                .forEach(
                        (state, clones) ->
                                record.addGauge(
                                        info("UnderWay" + camel(state), "Clones that are " + state),
                                        clones));
        now.decisions().forEach((outcome, reasons) -> addDecisions(record, outcome, reasons));
    }

    private static void addDecisions(
            MetricsRecordBuilder record, String outcome, Map<String, Long> reasons) {
        reasons.forEach(
                (reason, times) ->
                        record.addCounter(
                                info(
                                        "Decisions" + camel(outcome) + camel(reason),
                                        "Decisions for " + outcome + " because of " + reason),
                                times));
    }

    private static MetricsInfo info(String name, String description) {
        return Interns.info(name, description);
    }

    /** {@code CLONES_WON} as {@code ClonesWon}. */
    static String camel(String constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.split("_")) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }
}
