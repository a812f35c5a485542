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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The real {@code criu-remote-clone}, where it can clone. */
final class NativeTool {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    private static final Path TOOL =
            REPOSITORY.resolve("criu-remote-clone/build/criu-remote-clone");

    private NativeTool() {}

    /**
     * Skips the test, saying why, where no clones can be made; under {@code CI=true} that is a
     * failure, as it is for scripts/with-criu.
     */
    static Path required() throws IOException, InterruptedException {
        String reason = whyNoClones();
        if (!reason.isEmpty() && "true".equals(System.getenv("CI"))) {
            fail(reason);
        }
        Assumptions.assumeTrue(reason.isEmpty(), reason);
        return TOOL;
    }

    private static String whyNoClones() throws IOException, InterruptedException {
        if (!Files.isExecutable(TOOL)) {
            return TOOL + " isn't built; run make -C criu-remote-clone";
        }
        Process why =
                new ProcessBuilder("bash", "-c", "source scripts/lib/common.bash && why_no_clones")
                        .directory(REPOSITORY.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(why.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return why.waitFor() == 0 ? said.strip() : "can't ask scripts/lib/common.bash: " + said;
    }
}
