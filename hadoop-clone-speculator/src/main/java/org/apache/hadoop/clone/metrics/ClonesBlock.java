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

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet.TABLE;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet.TBODY;
import org.apache.hadoop.yarn.webapp.hamlet2.Hamlet.TR;
import org.apache.hadoop.yarn.webapp.view.HtmlBlock;

/**
 * The figures as tables. Hadoop's Hamlet escapes what it is given, be it a thread's name or what a
 * process has said.
 */
@InterfaceAudience.Private
public class ClonesBlock extends HtmlBlock {
    @Override
    protected void render(Block html) {
        CloneFigures figures = ClonePages.figures(request());
        html.p().__("Clones are " + figures.permission()).__();
        html.p().a(url("clones/json"), "The same as JSON").__();

        html.h2("Under way");
        table(html, List.of("state", "clones"), pairs(figures.underWay()));
        html.h2("What they have cost and saved");
        table(html, List.of("counter", "value"), pairs(costs(figures)));
        html.h2("Decisions");
        table(
                html,
                List.of("outcome", "reason", "times"),
                figures.decisions().entrySet().stream()
                        .flatMap(
                                outcome ->
                                        outcome.getValue().entrySet().stream()
                                                .map(
                                                        reason ->
                                                                List.of(
                                                                        outcome.getKey(),
                                                                        reason.getKey(),
                                                                        "" + reason.getValue())))
                        .toList());
        html.h2("Why clones came to nothing");
        table(html, List.of("reason", "clones"), pairs(figures.reasons()));
        html.h2("The last clones");
        table(
                html,
                List.of("clone", "original", "attempt", "host", "state", "since", "why"),
                figures.clones().stream().map(ClonesBlock::cells).toList());
    }

    private static Map<String, Long> costs(CloneFigures figures) {
        Map<String, Long> costs = new TreeMap<>(figures.counters());
        costs.put("EXTRA_CONTAINER_MILLIS", figures.extraContainerMillis());
        return costs;
    }

    private static List<List<String>> pairs(Map<String, Long> values) {
        return values.entrySet().stream()
                .map(value -> List.of(value.getKey(), value.getValue().toString()))
                .toList();
    }

    private static List<String> cells(CloneFigures.Row clone) {
        return List.of(
                Long.toString(clone.id()),
                clone.original(),
                clone.attempt(),
                clone.host(),
                clone.state(),
                Instant.ofEpochMilli(clone.sinceMillis()).toString(),
                clone.why());
    }

    private static void table(Block html, List<String> names, List<List<String>> rows) {
        TABLE<Hamlet> table = html.table(".ui-widget-content");
        TR<Hamlet.THEAD<TABLE<Hamlet>>> head = table.thead().tr();
        names.forEach(name -> head.th(".ui-state-default", name));
        head.__().__();
        TBODY<TABLE<Hamlet>> body = table.tbody();
        for (List<String> row : rows) {
            TR<TBODY<TABLE<Hamlet>>> line = body.tr();
            row.forEach(line::td);
            line.__();
        }
        body.__().__();
    }
}
