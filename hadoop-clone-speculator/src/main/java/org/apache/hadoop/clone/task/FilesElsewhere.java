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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.mapred.TaskAttemptID;

/**
 * Files that a task keeps where everybody may write, and not in its own directories, by its own
 * name. A clone on another host would find none, and might go on with a new one that lacks what was
 * written before. Only those can be told from others that are named after the task.
 */
final class FilesElsewhere {
    private static final List<Path> PLACES =
            List.of(Path.of("/tmp"), Path.of("/var/tmp"), Path.of("/dev/shm"));

    private FilesElsewhere() {}

    /** Why a clone can't be made as long as they are there. */
    static Set<String> obstacles(TaskAttemptID attempt) {
        return obstacles(PLACES, attempt);
    }

    static Set<String> obstacles(List<Path> places, TaskAttemptID attempt) {
        // What the ids of a task, of all its attempts and of the clone's original have in common.
        String task = attempt.getTaskID().toString().replaceFirst("^task_", "");
        Set<String> found = new LinkedHashSet<>();
        for (Path place : places) {
            if (Files.isReadable(place)) {
                find(place, task, found);
            }
        }
        return found;
    }

    private static void find(Path place, String task, Set<String> found) {
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(
                        place, file -> file.getFileName().toString().contains(task))) {
            files.forEach(
                    file -> found.add("it has " + file + ", which isn't in its own directories"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
