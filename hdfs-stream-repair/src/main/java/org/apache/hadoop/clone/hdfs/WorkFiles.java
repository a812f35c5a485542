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
package org.apache.hadoop.clone.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * What is in a work path besides the files that this process writes.
 *
 * @param closed files
 * @param foreign files that are written, but not by a stream of this process
 * @param empty directories, without the work path itself: a clone's are made with their files
 */
record WorkFiles(List<ClosedFile> closed, List<ClosedFile> foreign, List<String> empty) {
    static final WorkFiles NONE = new WorkFiles(List.of(), List.of(), List.of());

    /**
     * @param directory it and all below it; it needn't be there
     * @param open ids of files to leave out; a stream doesn't know where its file has been moved
     */
    static WorkFiles in(DistributedFileSystem system, Path directory, Set<Long> open)
            throws IOException {
        WorkFiles found = new WorkFiles(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Deque<Path> directories = new ArrayDeque<>(List.of(directory));
        while (!directories.isEmpty()) {
            Path next = directories.pop();
            try {
                boolean filled = found.add(system.listLocatedStatus(next), open, directories);
                if (!filled && !next.equals(directory)) {
                    found.empty().add(next.toUri().getPath());
                }
            } catch (FileNotFoundException e) {
                // Made with its first file, or gone meanwhile.
            }
        }
        return found;
    }

    /** Returns whether there was anything. */
    private boolean add(
            RemoteIterator<LocatedFileStatus> entries, Set<Long> open, Deque<Path> directories)
            throws IOException {
        boolean filled = entries.hasNext();
        while (entries.hasNext()) {
            LocatedFileStatus status = entries.next();
            if (status.isDirectory()) {
                directories.push(status.getPath());
                continue;
            }
            HdfsLocatedFileStatus hdfs = (HdfsLocatedFileStatus) status;
            ClosedFile file = ClosedFile.of(hdfs);
            if (!open.contains(file.fileId())) {
                (hdfs.getLocatedBlocks().isUnderConstruction() ? foreign : closed).add(file);
            }
        }
        return filled;
    }

    /**
     * Why a clone can't have all of it.
     *
     * @param opened ids of files that this process has begun to write since
     */
    Optional<String> obstacle(Set<Long> opened) {
        return Stream.of(
                        closed.stream().flatMap(file -> file.obstacle().stream()),
                        foreign.stream()
                                .filter(file -> !opened.contains(file.fileId()))
                                .map(WorkFiles::foreignObstacle),
                        empty.stream().map(WorkFiles::emptyObstacle))
                .flatMap(reasons -> reasons)
                .findFirst();
    }

    /** Its last block, or a part of it, is its writer's affair. */
    private static String foreignObstacle(ClosedFile file) {
        return file.path() + " is being written, and by no stream of this process";
    }

    private static String emptyObstacle(String directory) {
        return directory + " is an empty directory, without which a clone would commit";
    }
}
