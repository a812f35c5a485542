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
package org.clonehadoop.simulator.requests.figures;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.clonehadoop.simulator.requests.rpc.RpcSpec;

/** All figures' claims as Markdown tables, with every point that was measured. */
final class RequestTables {
    private RequestTables() {}

    /**
     * @param sections of all figures
     */
    static String page(String title, List<String> sections) {
        return ("# %s\n\nMade by `scripts/simulate requests`; don't edit it. A paper's claim *holds* within 2 %% at"
                        + " each load, within 0.05 of a gain on average, and within 5 percent points of a"
                        + " reduction; else it doesn't. Measured points, where there are any, are of one run"
                        + " each: [where and when](request-cloning.md).\n%s")
                .formatted(title, String.join("", sections));
    }

    /**
     * One figure's.
     *
     * @param how it was made, in a sentence; empty if there is nothing to say
     */
    static String section(SideBySide both, String how) {
        StringBuilder page = new StringBuilder();
        RequestFigure figure = both.any();
        page.append("\n## %s. %s\n\n".formatted(figure.id(), figure.title()));
        for (String said : List.of(figure.note(), how)) {
            if (!said.isEmpty()) {
                page.append(said).append("\n\n");
            }
        }
        if (both.measured() == null) {
            page.append("| the claim | simulated |\n|---|---|\n");
            figure.claims().forEach(claim -> row(page, claim.text(), cell(claim)));
        } else {
            measured(page, both);
        }
        return page.toString();
    }

    private static void measured(StringBuilder page, SideBySide both) {
        if (both.simulated() == null) {
            page.append("| the claim | measured |\n|---|---|\n");
            both.measured().claims().forEach(claim -> row(page, claim.text(), cell(claim)));
            return;
        }
        Map<String, Claim> measured =
                both.measured().claims().stream()
                        .collect(Collectors.toMap(Claim::text, claim -> claim));
        page.append("| the claim | simulated | measured |\n|---|---|---|\n");
        for (Claim claim : both.simulated().claims()) {
            Claim other = measured.get(claim.text());
            row(page, claim.text(), cell(claim), other == null ? "" : cell(other));
        }
        page.append("\n")
                .append(both.validation())
                .append(" 99 % in µs, measured / simulated")
                .append(
                        both.validated() == both.points().size()
                                ? ""
                                : "; in brackets what simulated runs of as many requests give")
                .append(":\n");
        Map<String, List<SideBySide.Point>> panels =
                both.points().stream()
                        .collect(
                                Collectors.groupingBy(
                                        point -> panel(point.spec()),
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        panels.forEach((panel, points) -> panel(page, panel, points));
    }

    private static String panel(RpcSpec spec) {
        return "%s, workers %s%s%s"
                .formatted(
                        spec.service().title(),
                        spec.workers().stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(" + ")),
                        spec.jitter() == 0.01 ? "" : ", p = " + spec.jitter(),
                        spec.clientMicros() == 0 ? "" : ", busy clients");
    }

    private static void panel(StringBuilder page, String panel, List<SideBySide.Point> points) {
        Map<Double, Map<String, String>> loads = new TreeMap<>();
        Map<String, Boolean> schemes = new LinkedHashMap<>();
        for (SideBySide.Point point : points) {
            String scheme = point.spec().scheme().title();
            schemes.put(scheme, true);
            loads.computeIfAbsent(point.spec().load(), load -> new TreeMap<>())
                    .merge(scheme, cell(point), (one, other) -> one + "; " + other);
        }
        page.append("\n| ").append(panel).append(" |");
        schemes.keySet().forEach(scheme -> page.append(' ').append(scheme).append(" |"));
        page.append("\n|---|").append("---|".repeat(schemes.size())).append('\n');
        loads.forEach(
                (load, cells) ->
                        row(
                                page,
                                "load " + load,
                                schemes.keySet().stream()
                                        .map(scheme -> cells.getOrDefault(scheme, ""))
                                        .toArray(String[]::new)));
    }

    private static String cell(SideBySide.Point point) {
        String both =
                String.format(Locale.ROOT, "%.0f / %.0f", point.measured(), point.simulated());
        if (point.isValidated()) {
            return both;
        }
        return String.format(
                Locale.ROOT,
                "%s (%.0f to %.0f)%s",
                both,
                point.chance().least(),
                point.chance().most(),
                point.mayBeChance() ? "" : " not validated");
    }

    private static String cell(Claim claim) {
        return claim.holds() ? "holds: " + claim.because() : "**doesn't**: " + claim.because();
    }

    private static void row(StringBuilder page, String first, String... others) {
        page.append("| ").append(first).append(" |");
        for (String other : others) {
            page.append(' ').append(other).append(" |");
        }
        page.append('\n');
    }
}
