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
package org.clonehadoop.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is kept in {@code benchmarks/results} is what the pages say. */
class KeptResultsTest {
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();
    private static final Pattern OF = Pattern.compile("(.+)-([0-9a-f]{7,})\\.(json|ndjson)");
    private static final Pattern VERSION = Pattern.compile("`([0-9a-f]{7})`");

    private static String file(Path path) {
        return path.getFileName().toString();
    }

    /** By the age of what they were measured of, as {@code benchmarks/report} takes them. */
    private static List<Path> kept() throws IOException, InterruptedException {
        List<String> history = history();
        Map<String, Integer> ages = new HashMap<>();
        history.forEach(commit -> ages.put(commit, ages.size()));
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(
                        REPOSITORY.resolve("benchmarks/results"), "*.{json,ndjson}")) {
            all.forEach(files::add);
        }
        assertThat(files)
                .as("of a commit of this history")
                .allSatisfy(path -> assertThat(ages).containsKey(commit(path)));
        files.sort(
                Comparator.<Path, Integer>comparing(path -> ages.get(commit(path)))
                        .thenComparing(KeptResultsTest::file));
        return files;
    }

    private static String commit(Path path) {
        Matcher name = OF.matcher(file(path));
        assertThat(name.matches()).as(file(path)).isTrue();
        return name.group(2);
    }

    private static List<String> history() throws IOException, InterruptedException {
        assumeFalse(git("rev-parse", "--is-shallow-repository").contains("true"), "is shallow");
        List<String> history = git("log", "--reverse", "--format=%h", "--abbrev=7");
        assumeFalse(history.isEmpty(), "is no repository");
        return history;
    }

    private static List<String> git(String... arguments) throws IOException, InterruptedException {
        Process git =
                new ProcessBuilder(Stream.concat(Stream.of("git"), Stream.of(arguments)).toList())
                        .directory(REPOSITORY.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        List<String> lines =
                new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .toList();
        return git.waitFor() == 0 ? lines : List.of();
    }

    @Test
    void thePagesAreWhatTheReportMakesOfThem(@TempDir Path scratch) throws Exception {
        Path page = scratch.resolve("results.md");
        Path rounds = scratch.resolve("results-history.md");
        Path parts = scratch.resolve("part-results.md");
        Path reads = scratch.resolve("read-results.md");
        Path readme = Files.copy(REPOSITORY.resolve("README.md"), scratch.resolve("README.md"));
        List<String> arguments = new ArrayList<>(List.of("--page", page.toString()));
        arguments.addAll(List.of("--history", rounds.toString(), "--reads", reads.toString()));
        arguments.addAll(List.of("--parts", parts.toString(), "--readme", readme.toString()));
        kept().forEach(path -> arguments.add(path.toString()));

        int code = new CommandLine(new Report()).execute(arguments.toArray(String[]::new));

        assertThat(code).isZero();
        String how = "benchmarks/report makes them anew";
        assertThat(Files.readString(REPOSITORY.resolve("docs/results.md")))
                .as(how)
                .isEqualTo(Files.readString(page));
        assertThat(Files.readString(REPOSITORY.resolve("docs/results-history.md")))
                .as(how)
                .isEqualTo(Files.readString(rounds));
        assertThat(Files.readString(REPOSITORY.resolve("docs/part-results.md")))
                .as(how)
                .isEqualTo(Files.readString(parts));
        assertThat(Files.readString(REPOSITORY.resolve("docs/read-results.md")))
                .as(how)
                .isEqualTo(Files.readString(reads));
        assertThat(Files.readString(REPOSITORY.resolve("README.md")))
                .as(how)
                .isEqualTo(Files.readString(readme));
    }

    /** A table with numbers of several versions would say nothing of any. */
    @Test
    void theReadmesTableIsOfOneVersion() throws IOException {
        String readme = Files.readString(REPOSITORY.resolve("README.md"));
        String block =
                readme.substring(
                        readme.indexOf("<!-- results -->"),
                        readme.indexOf("<!-- end of results -->"));

        Set<String> versions =
                VERSION.matcher(block)
                        .results()
                        .map(found -> found.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));

        assertThat(versions).hasSize(1);
    }
}
