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
package org.apache.hadoop.clone.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** Where an attempt's files are on its node: absolute paths, in the NodeManager's order. */
@InterfaceAudience.Private
public final class SourcePaths implements Writable {
    /** Below the working directory: where original, tool and clone talk while a clone is made. */
    public static final String CLONE_DIR = ".clone";

    /** In it: the FIFO in which hooks tell the process what happened. */
    public static final String MESSAGES = "messages";

    private String workDir = "";
    private List<String> localDirs = List.of();
    private List<String> logDirs = List.of();
    private SortedMap<String, String> links = new TreeMap<>();

    /** For deserialization. */
    public SourcePaths() {}

    /**
     * @param workDir the container's working directory
     * @param localDirs the application's directories, {@code LOCAL_DIRS} of the container
     * @param logDirs the container's log directories, {@code LOG_DIRS}
     */
    public SourcePaths(String workDir, List<String> localDirs, List<String> logDirs) {
        this.workDir = workDir;
        this.localDirs = List.copyOf(localDirs);
        this.logDirs = List.copyOf(logDirs);
    }

    /**
     * The same, with what was localized for the container: names in the working directory, and what
     * they lead to. On another node the same names lead to other paths.
     */
    public SourcePaths withLinks(Map<String, String> localized) {
        SourcePaths paths = new SourcePaths(workDir, localDirs, logDirs);
        paths.links = new TreeMap<>(localized);
        return paths;
    }

    public String workDir() {
        return workDir;
    }

    public List<String> localDirs() {
        return localDirs;
    }

    public List<String> logDirs() {
        return logDirs;
    }

    public SortedMap<String, String> links() {
        return links;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        WritableUtils.writeString(out, workDir);
        WritableUtils.writeStringArray(out, localDirs.toArray(String[]::new));
        WritableUtils.writeStringArray(out, logDirs.toArray(String[]::new));
        WritableUtils.writeStringArray(out, links.keySet().toArray(String[]::new));
        WritableUtils.writeStringArray(out, links.values().toArray(String[]::new));
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        workDir = WritableUtils.readString(in);
        localDirs = Arrays.asList(WritableUtils.readStringArray(in));
        logDirs = Arrays.asList(WritableUtils.readStringArray(in));
        String[] names = WritableUtils.readStringArray(in);
        String[] targets = WritableUtils.readStringArray(in);
        links = new TreeMap<>();
        for (int i = 0; i < names.length; i++) {
            links.put(names[i], targets[i]);
        }
    }

    @Override
    public String toString() {
        return "work "
                + workDir
                + ", local "
                + localDirs
                + ", logs "
                + logDirs
                + ", links "
                + links;
    }
}
