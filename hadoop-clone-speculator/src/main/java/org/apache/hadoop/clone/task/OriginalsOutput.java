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

import java.lang.instrument.UnmodifiableClassException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.fs.Path;

/**
 * In a clone, the work paths of those it was cloned from. User code may have kept what {@link
 * IdentitySwitch} can't reach, a path below its work path or the name of one: writing there, it
 * would lose its output or spoil that of the original.
 */
final class OriginalsOutput {
    private record WorkPath(String path) {}

    private final List<WorkPath> workPaths = new CopyOnWriteArrayList<>();

    void add(Path workPath) {
        workPaths.add(new WorkPath(workPath.toUri().getPath() + Path.SEPARATOR));
    }

    /**
     * From now on this clone ends before it writes there.
     *
     * @throws UnmodifiableClassException if this JVM doesn't allow for that
     */
    void guard() throws UnmodifiableClassException {
        if (!workPaths.isEmpty()) {
            HookWriter.withOutputs();
            CloneAgent.retransform(Set.of(HookWriter.OUTPUT));
        }
    }

    /** A file in HDFS is about to be opened for writing. */
    void opens(String path) {
        if (contains(path)) {
            CloneMaking.halt("it would write to " + path + ", which is its original's");
        }
    }

    boolean contains(String path) {
        return workPaths.stream().anyMatch(workPath -> path.startsWith(workPath.path));
    }
}
