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
package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * For Hadoop's own tests, which know nothing of it: a class of them fails if its jobs have neither
 * published a spill on the cluster nor used our collector in this process, where it is stock's.
 *
 * <p>What a job on the cluster has done is in its containers' logs. A reduce that isn't ours would
 * find nothing of a map that has published.
 */
public final class SpillsInBetween implements BeforeAllCallback, AfterAllCallback {
    private static final Pattern PUBLISHED = Pattern.compile("Publishing .*");
    private static final Pattern LOG = Pattern.compile("/container_[^/]+/syslog[^/]*$");

    /** Where the JVM was told to write down each class that it loads, but for its pid. */
    private static final String LOADED = "hadoop.tests.loaded";

    /** Only a name: to mention the class would load it. */
    private static final String COLLECTOR = "org.apache.hadoop.clone.shuffle.SpillCollector";

    private Instant began;

    @Override
    public void beforeAll(ExtensionContext context) {
        // The clock of files may be coarser.
        began = Instant.now().minusSeconds(1);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        long spills = 0;
        long maps = 0;
        for (Path log : logs()) {
            long published = PUBLISHED.matcher(read(log)).results().count();
            spills += published;
            maps += published > 0 ? 1 : 0;
        }
        boolean here = isLoaded(COLLECTOR);
        String seen =
                String.format(
                        "%s: %d spills published by %d maps; our collector in this process: %s%n",
                        context.getDisplayName(), spills, maps, here ? "yes" : "no");
        Files.writeString(
                Path.of("spills"), seen, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (spills == 0 && !here) {
            throw new AssertionError("nothing of ours was used: " + seen);
        }
    }

    private List<Path> logs() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("").toAbsolutePath())) {
            return files.filter(file -> LOG.matcher(file.toString()).find())
                    .filter(this::isOfThisClass)
                    .toList();
        }
    }

    private boolean isOfThisClass(Path log) {
        try {
            return Files.getLastModifiedTime(log).compareTo(FileTime.from(began)) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isLoaded(String type) throws IOException {
        Path loaded = Path.of(System.getProperty(LOADED) + "." + ProcessHandle.current().pid());
        return read(loaded).contains(type + " source:");
    }

    /** Whatever tests have put into their logs. */
    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }
}
