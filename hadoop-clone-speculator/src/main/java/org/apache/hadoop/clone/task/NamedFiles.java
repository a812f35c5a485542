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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.mapred.TaskAttemptID;

/**
 * Files that are named after a task. In its own directories a clone has them by the names that they
 * had, but not by those that it makes anew of its own id: it would go on with a new file, which
 * lacks what was written before. Where everybody may write, a clone on another host finds none at
 * all, and only such a name tells that a file is this task's.
 */
final class NamedFiles {
    private static final List<Path> SHARED =
            List.of(Path.of("/tmp"), Path.of("/var/tmp"), Path.of("/dev/shm"));

    private NamedFiles() {}

    /**
     * Why a clone can't be made as long as they are there.
     *
     * @param workDir the task's working directory
     */
    static Set<String> obstacles(Path workDir, TaskAttemptID attempt) {
        // Absolute only where the user has set it.
        Path temporary = workDir.resolve(System.getProperty("java.io.tmpdir"));
        return obstacles(List.of(workDir, temporary), SHARED, attempt);
    }

    static Set<String> obstacles(List<Path> own, List<Path> shared, TaskAttemptID attempt) {
        Set<String> found = new LinkedHashSet<>();
        for (Path place : shared) {
            for (Path file : in(place, attempt)) {
                found.add("it has " + file + ", which isn't in its own directories");
            }
        }
        for (Path place : own) {
            if (!shared.contains(place)) {
                for (Path file : in(place, attempt)) {
                    found.add("it has " + file + ", and a clone may look for it by its own id");
                }
            }
        }
        return found;
    }

    private static List<Path> in(Path place, TaskAttemptID attempt) {
        if (!Files.isReadable(place)) {
            return List.of();
        }
        // What the ids of a task, of all its attempts and of the clone's original have in common.
        String task = attempt.getTaskID().toString().replaceFirst("^task_", "");
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(
                        place, file -> file.getFileName().toString().contains(task))) {
            files.forEach(found::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }
}
