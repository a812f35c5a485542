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
package org.clonehadoop.simulator.regress;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares today's rules with those that were accepted last. */
@Command(
        name = "regress",
        description = "Runs the catalogue of troubles, and fails where ours have become worse.",
        mixinStandardHelpOptions = true)
public final class RegressCommand implements Callable<Integer> {
    @Option(names = "--accept", description = "what is now is what counts from now on")
    private boolean accept;

    @Option(
            names = "--expected",
            required = true,
            paramLabel = "FILE",
            description = "what was accepted last")
    private Path expected;

    @Option(
            names = "--expected-further",
            required = true,
            paramLabel = "FILE",
            description = "the same of the further scenarios")
    private Path expectedFurther;

    @Override
    public Integer call() throws IOException {
        Results now = Results.simulate();
        FurtherRatios further = FurtherRatios.simulate();
        if (accept) {
            now.write(expected);
            further.write(expectedFurther);
        }
        Comparison comparison = new Comparison(Results.read(expected), now);
        System.out.print(comparison.table());
        FurtherRatios before = FurtherRatios.read(expectedFurther);
        System.out.print(further.table(before));
        List<String> failures = new ArrayList<>(comparison.failures());
        failures.addAll(further.failures(before));
        failures.forEach(failure -> System.err.println("simulate: " + failure));
        return failures.isEmpty() ? 0 : 1;
    }
}
