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
package org.apache.hadoop.clone.appmaster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * What clones have cost a user's jobs: a file beside their staging directories, in the one that
 * stock keeps for each user, and that nobody else can write to.
 */
final class CostFile {
    static final String NAME = "clone-costs.json";

    private static final int MOST_BYTES = 4096;

    /** HDFS deletes the blocks of a file that is replaced, also under those who read it. */
    private static final int MOST_TRIES = 3;

    /** Costs that are too high keep the clones from being made that would correct them. */
    private static final long LONGEST_MILLIS = TimeUnit.DAYS.toMillis(7);

    private static final FsPermission PRIVATE = new FsPermission("600");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Configuration conf;
    private final Path path;
    private final Path draft;

    /**
     * @param jobDirectory staging directory of a job, where the file is made before it is moved to
     *     its place: what is left of it there goes with the job
     */
    CostFile(Configuration conf, Path jobDirectory) {
        this.conf = conf;
        path = new Path(jobDirectory.getParent(), NAME);
        draft = new Path(jobDirectory, NAME);
    }

    /**
     * @param configured with which costs the job was: others that are configured since count
     */
    private record Content(CloneCosts configured, CloneCosts learned) {
        Content {
            Objects.requireNonNull(configured);
            Objects.requireNonNull(learned);
        }
    }

    /**
     * @param configured the costs that this job is configured with
     * @return empty if no job has written one, or the last one was configured otherwise
     * @throws IOException if it can't be read, or isn't one to go by
     */
    Optional<CloneCosts> read(CloneCosts configured) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return readOnce(configured);
            } catch (IOException e) {
                if (tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    private Optional<CloneCosts> readOnce(CloneCosts configured) throws IOException {
        FileContext files = FileContext.getFileContext(conf);
        FileStatus status;
        try {
            status = files.getFileStatus(path);
        } catch (FileNotFoundException none) {
            return Optional.empty();
        }
        need(status.isFile() && status.getLen() <= MOST_BYTES, "it is no file of ours");
        need(status.getOwner().equals(files.getUgi().getShortUserName()), "it is another user's");
        long age = System.currentTimeMillis() - status.getModificationTime();
        need(Math.abs(age) <= LONGEST_MILLIS, "it isn't of the last days");
        try (InputStream in = files.open(path)) {
            Content content = JSON.readValue(in.readNBytes(MOST_BYTES), Content.class);
            need(content != null, "it says nothing");
            return Optional.of(content.learned)
                    .filter(costs -> content.configured.equals(configured));
        }
    }

    private void need(boolean holds, String otherwise) throws IOException {
        if (!holds) {
            throw new IOException(path + ": " + otherwise);
        }
    }

    /** Replaces it in one step: a reader finds this, or what was there before. */
    void write(CloneCosts configured, CloneCosts learned) throws IOException {
        FileContext files = FileContext.getFileContext(conf);
        try (OutputStream out =
                files.create(
                        draft,
                        EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
                        CreateOpts.perms(PRIVATE))) {
            out.write(JSON.writeValueAsBytes(new Content(configured, learned)));
        }
        files.rename(draft, path, Rename.OVERWRITE);
    }
}
