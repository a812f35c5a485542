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
package org.clonehadoop.simulator;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.regress.Scenarios;
import org.clonehadoop.simulator.speculators.Kind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One simulated job. */
@Command(
        name = "run",
        description = "Simulates one job of the catalogue, and prints what became of it as JSON.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    @Parameters(paramLabel = "SCENARIO", description = "as regress names them")
    private String scenario;

    @Option(names = "--speculator", defaultValue = "OURS", description = "${COMPLETION-CANDIDATES}")
    private Kind speculator;

    @Option(names = "--seed", defaultValue = "1")
    private long seed;

    @Override
    public Integer call() throws IOException {
        JobSpec spec = Scenarios.named(List.of(scenario)).values().iterator().next();
        System.out.println(
                new ObjectMapper()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .writeValueAsString(Simulation.run(spec, speculator, seed)));
        return 0;
    }
}
