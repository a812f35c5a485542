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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.clonehadoop.benchmarks.report.JobLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says how far simulated jobs are from real ones. */
@Command(
        name = "validate",
        description =
                "Simulates the jobs that benchmarks/whole-jobs/run has run, and says how far off"
                        + " that is.",
        mixinStandardHelpOptions = true)
public final class ValidateCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "lines of JSON, one a job")
    private List<Path> files;

    @Option(names = "--json", paramLabel = "FILE", description = "the same as one object")
    private Path json;

    /** What is outside of a bound is a result, and no failure. */
    @Override
    public Integer call() throws IOException {
        List<JobLine> lines = new ArrayList<>();
        for (Path file : files) {
            lines.addAll(JobLine.read(file));
        }
        ValidationReport report = new ValidationReport(Validation.of(lines));
        System.out.print(report.text());
        if (json != null) {
            new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValue(json.toFile(), report.json());
        }
        return 0;
    }
}
