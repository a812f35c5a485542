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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.clonehadoop.benchmarks.harness.Table;

/** A validation, for people and for programs. */
record ValidationReport(Validation validation) {
    private static final String OUTSIDE = "not validated";

    String text() {
        StringBuilder text = new StringBuilder();
        validation
                .paces()
                .forEach(
                        (session, pace) ->
                                text.append(
                                        format("%s: the machine's pace is %.2f%n", session, pace)));
        text.append('\n').append(jobs()).append('\n').append(ratios()).append('\n');
        text.append(bounds());
        text.append(
                format(
                        "jobs in which nobody was speculated: %d, of them simulated alike: %d%n",
                        validation.quiet().jobs(), validation.quiet().alike()));
        validation.leftOut().forEach(line -> text.append("left out: ").append(line).append('\n'));
        text.append(validation.isValidated() ? "validated" : OUTSIDE).append('\n');
        return text.toString();
    }

    private Table jobs() {
        Table table = new Table();
        table.row("job", "round", "real", "simulated", "error", "speculated alike", "");
        for (Pair pair : validation.pairs()) {
            table.row(
                    pair.real().trouble() + ", " + pair.real().variant(),
                    pair.real().round(),
                    format("%.1f s", pair.real().seconds()),
                    format("%.1f s", pair.simulated().seconds()),
                    format("%+.0f %%", 100 * pair.error()),
                    pair.alike().isPresent() ? format("%.2f", pair.alike().getAsDouble()) : "",
                    said(pair));
        }
        return table;
    }

    private String said(Pair pair) {
        if (Pace.tells(pair.real())) {
            return "fitted";
        }
        return validation.isWithin(pair) ? "" : OUTSIDE;
    }

    private Table ratios() {
        Table table = new Table();
        table.row("time over stock's", "commit", "real", "simulated", "error", "");
        for (Ratio ratio : validation.ratios()) {
            table.row(
                    ratio.trouble() + ", " + ratio.variant(),
                    ratio.commit(),
                    format("%.2f", ratio.real()),
                    format("%.2f", ratio.simulated()),
                    format("%+.2f", ratio.error()),
                    ratio.isWithin() ? "" : OUTSIDE);
        }
        return table;
    }

    private Table bounds() {
        Table table = new Table();
        table.row("bound", "", "", "");
        for (Bound bound : validation.bounds()) {
            table.row(
                    bound.title(),
                    bound.isKnown() ? format("%.2f", bound.value()) : "",
                    bound.limit(),
                    bound.verdict());
        }
        return table;
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("validated", validation.isValidated());
        for (Bound bound : validation.bounds()) {
            json.put(bound.key(), bound.isKnown() ? bound.value() : null);
            json.put(bound.key() + "_within", bound.isKnown() ? bound.isWithin() : null);
        }
        json.put("speculated_nobody_jobs", validation.quiet().jobs());
        json.put("speculated_nobody_jobs_alike", validation.quiet().alike());
        json.put("pace", validation.paces());
        json.put("jobs", validation.pairs().stream().map(this::json).toList());
        json.put("ratios", validation.ratios().stream().map(ValidationReport::json).toList());
        json.put("left_out", validation.leftOut());
        return json;
    }

    private Map<String, Object> json(Pair pair) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("commit", pair.real().commit());
        json.put("trouble", pair.real().trouble());
        json.put("variant", pair.real().variant());
        json.put("round", pair.real().round());
        json.put("real_s", pair.real().seconds());
        json.put("simulated_s", pair.simulated().seconds());
        json.put("error", pair.error());
        json.put("fitted", Pace.tells(pair.real()));
        json.put("speculated", pair.real().speculated());
        if (pair.byName()) {
            json.put("simulated_speculated", List.copyOf(pair.simulated().speculated()));
        } else {
            json.put("simulated_speculated_maps", pair.simulated().speculated('m'));
            json.put("simulated_speculated_reduces", pair.simulated().speculated('r'));
        }
        pair.alike().ifPresent(alike -> json.put("speculated_alike", alike));
        json.put("order_to_running_ms", pair.real().orderToRunningMillis());
        pair.simulated()
                .orderToRunningMillis()
                .ifPresent(millis -> json.put("simulated_order_to_running_ms", millis));
        json.put("freeze_ms", pair.real().freezeMillis());
        pair.simulated()
                .freezeMillis()
                .ifPresent(millis -> json.put("simulated_freeze_ms", millis));
        return json;
    }

    private static Map<String, Object> json(Ratio ratio) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("commit", ratio.commit());
        json.put("trouble", ratio.trouble());
        json.put("variant", ratio.variant());
        json.put("real", ratio.real());
        json.put("simulated", ratio.simulated());
        json.put("within", ratio.isWithin());
        return json;
    }
}
