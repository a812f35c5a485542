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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.clonehadoop.benchmarks.report.JobLine;

/** Lines such as benchmarks/whole-jobs/run writes, made by hand. */
final class Lines {
    private Lines() {}

    static String line(String trouble, String variant, int run, double seconds) {
        return line(trouble, variant, run, seconds, "");
    }

    /**
     * @param more members, each with a comma before
     */
    static String line(String trouble, String variant, int run, double seconds, String more) {
        return String.format(
                Locale.ROOT,
                "{\"commit\":\"a066986\",\"trouble\":\"%s\",\"variant\":\"%s\","
                        + "\"round\":\"20261124T120000Z-%d\",\"job_s\":%.3f,"
                        + "\"thrown_away_s\":1.5,\"extra_attempts\":1,\"extra_attempts_won\":1,"
                        + "\"clones_launched\":0,\"clones_won\":0,\"megabytes\":500,"
                        + "\"environment\":{\"cpu\":\"some\",\"cores\":2,\"load_before\":0.1}%s}",
                trouble,
                variant,
                run,
                seconds,
                more);
    }

    static List<JobLine> read(Path directory, List<String> lines) {
        try {
            return JobLine.read(
                    Files.write(
                            directory.resolve("whole-jobs-" + lines.hashCode() + ".ndjson"),
                            lines));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
