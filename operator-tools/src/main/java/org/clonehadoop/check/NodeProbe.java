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
package org.clonehadoop.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.List;
import java.util.Map;

/** Asks a node what it is like, by {@code probe-node}. */
final class NodeProbe {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RemoteScript script;
    private final List<String> settings;

    /**
     * @param processes those that it runs are among
     * @param via the words that run a command on a host, {@code {}} being its name
     * @param settings for the probe, by name
     * @param limitSeconds after so long a node counts as one that doesn't answer
     */
    NodeProbe(
            ProbeProcesses processes,
            List<String> via,
            Map<String, String> settings,
            long limitSeconds) {
        this.script = new RemoteScript(processes, "probe-node", via, limitSeconds);
        this.settings =
                settings.entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toList();
    }

    Node ask(String host) {
        long begun = System.currentTimeMillis();
        String answer;
        try {
            answer = script.run(host, settings);
        } catch (RemoteScript.NoAnswerException e) {
            return Node.silent(host, e.getMessage());
        }
        long ended = System.currentTimeMillis();
        try {
            NodeFacts facts =
                    JSON.readValue(
                            answer.substring(Math.max(0, answer.indexOf('{'))), NodeFacts.class);
            return Node.of(host, facts, begun, ended);
        } catch (ValueInstantiationException e) {
            return Node.silent(
                    host,
                    "its answer lacks %s: is another release installed there?"
                            .formatted(e.getCause().getMessage()));
        } catch (JsonProcessingException e) {
            return Node.silent(
                    host, "its answer isn't the probe's: " + RemoteScript.firstLine(answer));
        }
    }
}
