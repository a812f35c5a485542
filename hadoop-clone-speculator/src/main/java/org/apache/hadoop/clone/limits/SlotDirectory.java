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
package org.apache.hadoop.clone.limits;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** The directory where AppMasters count clones together: {@code slots}, beside the switch file. */
final class SlotDirectory {
    static final String NAME = "slots";

    private final Configuration conf;
    private FileContext files;

    SlotDirectory(Configuration conf) {
        this.conf = conf;
    }

    private Path path(String name) {
        Path file = new Path(conf.getTrimmed(CloneKeys.SWITCH_FILE));
        return new Path(new Path(file.getParent(), NAME), name);
    }

    private FileContext files() throws IOException {
        if (files == null) {
            files = FileContext.getFileContext(conf);
        }
        return files;
    }

    List<SlotTable.Held> list() throws IOException {
        List<SlotTable.Held> held = new ArrayList<>();
        RemoteIterator<FileStatus> found = files().listStatus(path("x").getParent());
        while (found.hasNext()) {
            FileStatus file = found.next();
            held.add(new SlotTable.Held(file.getPath().getName(), file.getModificationTime()));
        }
        return held;
    }

    /** Whether it was this call that has made the file. */
    boolean create(SlotName slot) throws IOException {
        try {
            files().create(path(slot.toString()), EnumSet.of(CreateFlag.CREATE)).close();
            return true;
        } catch (FileAlreadyExistsException another) {
            return false;
        }
    }

    /**
     * A sign of life.
     *
     * @return whether the file is still there
     */
    boolean touch(SlotName slot, long nowMillis) throws IOException {
        try {
            files().setTimes(path(slot.toString()), nowMillis, -1);
            return true;
        } catch (FileNotFoundException gone) {
            return false;
        }
    }

    void delete(SlotName slot) throws IOException {
        files().delete(path(slot.toString()), false);
    }
}
