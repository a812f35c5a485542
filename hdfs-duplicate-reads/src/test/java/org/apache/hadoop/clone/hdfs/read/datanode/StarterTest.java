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
package org.apache.hadoop.clone.hdfs.read.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StarterTest {
    @Test
    void threadsInheritTheIdleClassAndOthersDont() throws Exception {
        try (Starter duplicates = new Starter("duplicates");
                Starter primaries = new Starter("primaries")) {
            duplicates.useIdleDisks();
            assertThat(classOfThreadBy(duplicates::execute)).startsWith("idle");
            assertThat(classOfThreadBy(primaries::execute)).doesNotStartWith("idle");
        }
    }

    /** The first that has one started may be a duplicate's thread itself. */
    @Test
    void aStarterHasTheClassOfWhoeverMadeIt() throws Exception {
        try (Starter duplicates = new Starter("duplicates");
                Starter primaries = new Starter("primaries")) {
            duplicates.useIdleDisks();
            assertThat(classOfThreadBy(run -> duplicates.execute(() -> primaries.execute(run))))
                    .doesNotStartWith("idle");
        }
    }

    private static String classOfThreadBy(Executor starter) throws Exception {
        CompletableFuture<String> told = new CompletableFuture<>();
        starter.execute(
                () ->
                        new Thread(() -> told.completeAsync(StarterTest::own, Runnable::run))
                                .start());
        return told.get(1, TimeUnit.MINUTES);
    }

    private static String own() {
        try {
            String number = Path.of("/proc/thread-self").toRealPath().getFileName().toString();
            Process ionice = new ProcessBuilder("ionice", "-p", number).start();
            return new String(ionice.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
