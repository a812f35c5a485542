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

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.trouble.Trouble;

/** The numbers of a job and of where it runs, by the names that records give them. */
final class World {
    /** Parts of a job that are records of numbers themselves. */
    private static final List<String> PARTS = List.of("program", "host", "costs");

    private World() {}

    /** Empty if it has no such number. Of troubles all that have it are changed. */
    static Optional<JobSpec> change(JobSpec spec, String name, DoubleUnaryOperator change) {
        return Components.change(spec, name, change)
                .or(() -> inParts(spec, name, change))
                .or(() -> inTroubles(spec, name, change));
    }

    private static Optional<JobSpec> inParts(
            JobSpec spec, String name, DoubleUnaryOperator change) {
        return PARTS.stream()
                .flatMap(
                        part ->
                                Components.change(part(spec, part), name, change)
                                        .map(changed -> Components.with(spec, part, changed))
                                        .stream())
                .findFirst();
    }

    private static Record part(JobSpec spec, String part) {
        return switch (part) {
            case "program" -> spec.program();
            case "host" -> spec.host();
            default -> spec.costs();
        };
    }

    private static Optional<JobSpec> inTroubles(
            JobSpec spec, String name, DoubleUnaryOperator change) {
        boolean has =
                spec.troubles().stream()
                        .anyMatch(
                                trouble ->
                                        trouble instanceof Record record
                                                && Components.number(record, name).isPresent());
        if (!has) {
            return Optional.empty();
        }
        return Optional.of(
                spec.withTroubles(
                        spec.troubles().stream()
                                .map(trouble -> changed(trouble, name, change))
                                .toArray(Trouble[]::new)));
    }

    private static Trouble changed(Trouble trouble, String name, DoubleUnaryOperator change) {
        return Stream.of(trouble)
                .filter(Record.class::isInstance)
                .map(Record.class::cast)
                .flatMap(record -> Components.change(record, name, change).stream())
                .map(Trouble.class::cast)
                .findFirst()
                .orElse(trouble);
    }
}
