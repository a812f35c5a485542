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
package org.clonehadoop.simulator.sweep;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clonehadoop.simulator.Rules;
import org.clonehadoop.simulator.figures.Interval;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.mapreduce.RunRecord;

/**
 * Each number of the rules as it is and as it might be, all others as they are.
 *
 * @param values like {@code off}, in their order
 * @param effects by rule, of each value
 */
record RuleCurves(List<String> values, Map<Rule, List<Effect>> effects) {
    /** A scenario's job time has become another one: more is shown. */
    private static final double SHOWN = 0.01;

    private static final double SHOWN_CONTAINERS = 0.01;
    private static final double SEEN = 0.0005;

    /**
     * Job times over those with today's number.
     *
     * @param mean of all scenarios, geometrically
     * @param worst the scenario in which most is lost
     * @param containers so many more work for nothing, in the mean of all the time and scenarios
     */
    record Effect(
            Interval mean,
            String worst,
            double worstRatio,
            double containers,
            Map<String, Double> ratios) {
        /** Whether no seed of any scenario has become another run. */
        boolean isNone() {
            return containers == 0 && ratios.values().stream().allMatch(ratio -> ratio == 1);
        }

        /** As much as seeds alone may make of nothing, or too little to be shown. */
        boolean isNoise() {
            return mean.low() <= 1 && mean.high() >= 1 || Math.abs(mean.value() - 1) < SEEN;
        }

        String text() {
            if (isNone()) {
                return "=";
            }
            String mark = isNoise() ? "" : "**";
            String worse = worstRatio < 1 + SHOWN ? "" : Rows.text(" (%s %.2f)", worst, worstRatio);
            String wasted =
                    Math.abs(containers) < SHOWN_CONTAINERS ? "" : Rows.text(" %+.2f", containers);
            return Rows.text("%s%.3f%s%s%s", mark, mean.value(), mark, wasted, worse);
        }
    }

    static RuleCurves of(
            Map<String, JobSpec> scenarios,
            List<Rule> rules,
            List<String> values,
            long first,
            int runs) {
        Map<Asked, RunRecord> done = new LinkedHashMap<>();
        List<Asked> asked = new ArrayList<>();
        scenarios.forEach(
                (name, spec) -> {
                    asked.addAll(Asked.each(today(name, spec), first, runs));
                    for (Rule rule : rules) {
                        for (String value : values) {
                            asked.addAll(
                                    Asked.each(at(rule, value, today(name, spec)), first, runs));
                        }
                    }
                });
        done.putAll(Asked.run(asked));
        Map<Rule, List<Effect>> effects = new LinkedHashMap<>();
        for (Rule rule : rules) {
            effects.put(
                    rule,
                    values.stream()
                            .map(value -> effect(scenarios, rule, value, first, runs, done))
                            .toList());
        }
        return new RuleCurves(values, effects);
    }

    private static Trial today(String name, JobSpec spec) {
        return new Trial(name, spec, Rules.PRESET);
    }

    private static Trial at(Rule rule, String value, Trial trial) {
        return Knob.RULE.set(trial, rule.key(), value);
    }

    private static Effect effect(
            Map<String, JobSpec> scenarios,
            Rule rule,
            String value,
            long first,
            int runs,
            Map<Asked, RunRecord> done) {
        List<double[]> over = new ArrayList<>();
        List<double[]> under = new ArrayList<>();
        Map<String, Double> ratios = new LinkedHashMap<>();
        double containers = 0;
        for (Map.Entry<String, JobSpec> one : scenarios.entrySet()) {
            Trial today = today(one.getKey(), one.getValue());
            double[] changed = seconds(at(rule, value, today), first, runs, done);
            double[] same = seconds(today, first, runs, done);
            over.add(changed);
            under.add(same);
            ratios.put(one.getKey(), Interval.ofMeans(changed, same).value());
            containers +=
                    containers(at(rule, value, today), first, runs, done)
                            - containers(today, first, runs, done);
        }
        Map.Entry<String, Double> worst =
                ratios.entrySet().stream()
                        .max(Comparator.comparingDouble(Map.Entry::getValue))
                        .orElseThrow();
        return new Effect(
                Interval.ofGeometricMeans(over, under),
                worst.getKey(),
                worst.getValue(),
                containers / scenarios.size(),
                ratios);
    }

    /** That work for nothing, in the mean. */
    private static double containers(
            Trial trial, long first, int runs, Map<Asked, RunRecord> done) {
        return Asked.each(trial, first, runs).stream()
                .map(done::get)
                .mapToDouble(run -> run.thrownAwaySeconds() / run.jobSeconds())
                .average()
                .orElseThrow();
    }

    private static double[] seconds(Trial trial, long first, int runs, Map<Asked, RunRecord> done) {
        return Cell.each(
                Asked.each(trial, first, runs).stream().map(done::get).toList(),
                RunRecord::jobSeconds);
    }

    /** A row for each rule, with what it is derived from. */
    Rows table() {
        Rows rows = new Rows();
        List<String> heading = new ArrayList<>(List.of("number", "what", "today"));
        heading.addAll(values);
        heading.addAll(List.of("off is", "derived from"));
        rows.add(heading);
        effects.forEach(
                (rule, all) -> {
                    List<String> row = new ArrayList<>();
                    row.add("`" + rule.component() + "`");
                    row.add(rule.what());
                    row.add(number(rule.today()));
                    all.forEach(effect -> row.add(effect.text()));
                    row.add(rule.without());
                    row.add(rule.from());
                    rows.add(row);
                });
        return rows;
    }

    /** Without zeros that say nothing. */
    static String number(double value) {
        String text = Rows.text("%.3f", value);
        return text.replaceFirst("\\.?0+$", "");
    }

    /** One flat line for each rule and value. */
    List<Map<String, Object>> lines() {
        List<Map<String, Object>> lines = new ArrayList<>();
        effects.forEach(
                (rule, all) -> {
                    for (int i = 0; i < values.size(); i++) {
                        Map<String, Object> line = new LinkedHashMap<>();
                        line.put("rule", rule.component());
                        line.put("today", rule.today());
                        line.put("value", values.get(i));
                        line.put("over_today", all.get(i).mean().value());
                        line.put("over_today_low", all.get(i).mean().low());
                        line.put("over_today_high", all.get(i).mean().high());
                        line.put("containers_thrown_away_more", all.get(i).containers());
                        line.put("scenarios", all.get(i).ratios());
                        lines.add(line);
                    }
                });
        return lines;
    }

    String picture() {
        Map<String, List<Interval>> rows = new LinkedHashMap<>();
        effects.forEach(
                (rule, all) ->
                        rows.put(
                                rule.component() + " " + number(rule.today()),
                                all.stream().map(Effect::mean).toList()));
        return DotChart.svg("Job time over that of today's rules", "", values, rows);
    }
}
