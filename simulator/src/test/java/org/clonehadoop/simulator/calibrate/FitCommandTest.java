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
package org.clonehadoop.simulator.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clonehadoop.simulator.platform.CostSheet;
import org.clonehadoop.simulator.platform.CostSheet.Cost;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class FitCommandTest {
    @TempDir private Path directory;
    private Path book;

    @BeforeEach
    void aBookAsItIs() throws IOException {
        book = directory.resolve("book.json");
        CostSheet.measured().write(book);
    }

    private String file(String name, String json) throws IOException {
        return Files.writeString(directory.resolve(name), json).toString();
    }

    private int fit(String... files) {
        CommandLine command = new CommandLine(new FitCommand());
        String[] arguments = new String[files.length + 4];
        System.arraycopy(files, 0, arguments, 0, files.length);
        arguments[files.length] = "--date";
        arguments[files.length + 1] = "2026-11-25";
        arguments[files.length + 2] = "--book";
        arguments[files.length + 3] = book.toString();
        return command.execute(arguments);
    }

    private CostSheet.Value value(Cost cost) throws IOException {
        return CostSheet.read(book).values().get(cost);
    }

    @Test
    void whatTuneFoundIsInTheBookWithItsSource() throws IOException {
        String tune =
                file(
                        "tune.json",
                        "{\"jobs\": 20, \"vm_ms\": {\"median\": 1234, \"low\": 1},"
                                + " \"bytes_per_s\": {\"median\": 104857600}}");

        assertThat(fit(tune)).isZero();

        assertThat(value(Cost.VM_MS))
                .isEqualTo(new CostSheet.Value(1234, "scripts/tune, tune.json", "2026-11-25"));
        assertThat(value(Cost.MEGABYTES_PER_S).value()).isEqualTo(100);
        assertThat(value(Cost.FREEZE_MS))
                .isEqualTo(CostSheet.measured().values().get(Cost.FREEZE_MS));
    }

    @Test
    void ofACostTheLastFileCounts() throws IOException {
        String first = file("map-clone-1.json", "{\"boundary_freeze_ms\": 90}");
        String second = file("map-clone-2.json", "{\"boundary_freeze_ms\": 70}");

        assertThat(fit(first, second)).isZero();

        assertThat(value(Cost.FREEZE_MS))
                .isEqualTo(
                        new CostSheet.Value(
                                70, "benchmarks/map-clone, map-clone-2.json", "2026-11-25"));
    }

    @Test
    void aClonedMapTellsTheFreezeAndHowLargeAnImageIs() throws IOException {
        String clone =
                file(
                        "map-clone.json",
                        "{\"boundary_freeze_ms\": 90, \"midspill_image_bytes\": 419430400}");

        assertThat(fit(clone)).isZero();

        assertThat(value(Cost.FREEZE_MS).value()).isEqualTo(90);
        assertThat(value(Cost.MEMORY_MB).value()).isEqualTo(400);
    }

    @Test
    void ofAMapOnlyItsJvmsStartIsTaken() throws IOException {
        String cost =
                file(
                        "map-cost.json",
                        "{\"start_stock_cpu_ms\": 2500, \"one_spill_stock_cpu_ms\": 6314.697}");

        assertThat(fit(cost)).isZero();

        assertThat(value(Cost.JVM_CPU_S).value()).isEqualTo(2.5);
        assertThat(value(Cost.MAP_CPU_S_PER_MB))
                .isEqualTo(CostSheet.measured().values().get(Cost.MAP_CPU_S_PER_MB));
    }

    @Test
    void aFileThatTellsNothingFailsAndTheBookStays() throws IOException {
        byte[] before = Files.readAllBytes(book);

        assertThat(fit(file("other.json", "{\"jobs\": 3, \"vm_ms\": null}"))).isNotZero();

        assertThat(book).hasBinaryContent(before);
    }

    @Test
    void aBookThatLacksACostIsNone() throws IOException {
        Files.writeString(book, "{\"VM_MS\": {\"value\": 1, \"source\": \"\", \"date\": \"\"}}");

        assertThat(fit(file("map-clone.json", "{\"boundary_freeze_ms\": 90}"))).isNotZero();
    }
}
