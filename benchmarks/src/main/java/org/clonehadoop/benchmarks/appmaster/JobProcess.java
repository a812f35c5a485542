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
package org.clonehadoop.benchmarks.appmaster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.clone.appmaster.LargeJob;
import org.clonehadoop.benchmarks.harness.Programs;

/** An AppMaster with a {@link LargeJob} in a JVM of its own. */
final class JobProcess {
    private final Path log;
    private final BufferedReader answers;
    private final PrintStream questions;

    /** What a window has shown. Times are in milliseconds, heartbeats and CPU in a second. */
    record Measured(
            double event,
            double placement,
            double look,
            double yieldLook,
            double cpuMillis,
            double heartbeats) {}

    /**
     * @param job what {@link LargeJob} is to be told of the job
     * @param scratch for its files
     */
    JobProcess(Programs programs, boolean clones, List<String> job, Path scratch)
            throws IOException {
        log = scratch.resolve("log-" + clones);
        Process process =
                programs.converse(
                        Stream.of(
                                        List.of(
                                                "java",
                                                "-Xmx3g",
                                                "-Dlog4j.configuration=warnings-only.properties",
                                                // Hadoop's test AppMaster writes below it.
                                                "-Duser.dir=" + scratch,
                                                "-cp",
                                                System.getProperty("java.class.path"),
                                                LargeJob.class.getName(),
                                                Boolean.toString(clones)),
                                        job)
                                .flatMap(List::stream)
                                .toList(),
                        log);
        answers = process.inputReader(StandardCharsets.UTF_8);
        questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    void awaitReady() throws IOException {
        answer();
    }

    Measured measure(Duration window) throws IOException {
        questions.println("window " + window.toMillis());
        double[] numbers =
                Arrays.stream(answer().split(" ")).mapToDouble(Double::parseDouble).toArray();
        return new Measured(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    }

    double liveHeapBytes() throws IOException {
        questions.println("heap");
        return Double.parseDouble(answer());
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("it failed: " + Files.readString(log));
        }
        return line;
    }
}
