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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A map that reads the files of its input's blocks itself (HDFS-347) is really cloned. */
@Timeout(300)
class ClonedLocalReadsTest {
    private static final long ALL_LINES = 64 << 20;

    @TempDir private Path temp;

    private LocalHdfs hdfs;

    private void startHdfs(long block) throws IOException, InterruptedException {
        NativeTool.required();
        hdfs = new LocalHdfs(Files.createDirectory(temp.resolve("h")), block);
    }

    @AfterEach
    void stop() {
        if (hdfs != null) {
            hdfs.close();
        }
    }

    @Test
    void bothReadAllAndTheBlocksFilesAgain() throws Exception {
        startHdfs(HdfsLines.BLOCK);
        Path directory = Files.createDirectory(temp.resolve("pair"));
        try (ClonePair pair = ClonePair.ofMap(directory, hdfs.lines)) {
            pair.original.withNativeIo();
            pair.start(hdfs.job());
            pair.await(() -> pair.original.position() > 2000);
            assertThat(blocks(pair.original.pid())).as(pair.original.log()).isNotEmpty();
            assertThat(hdfs.segments()).isPositive();

            pair.cloneIt();
            long cloned = pair.original.position();
            assertThat(cloned).isLessThan(HdfsLines.COUNT / 2);
            pair.await(() -> !blocks(pair.original.pid()).isEmpty());
            pair.await(() -> !blocks(pair.clone.pid()).isEmpty());

            pair.original.endInput();
            assertThat(pair.original.exitCode()).as(pair.original.log()).isZero();
            HdfsLines.assertAll(MapOutput.read(pair.original.local, TaskJvm.ATTEMPT));
            pair.clone.endInput();
            assertThat(pair.clone.exitCode()).as(pair.clone.log()).isZero();
            HdfsLines.assertAll(MapOutput.read(pair.clone.local, pair.cloned));
            assertThat(pair.appMaster.errors).isEmpty();
            pair.await(() -> hdfs.segments() == 0);
        }
    }

    /** It goes on to the block's end, and nobody could read that in another way. */
    @Test
    void aMapKeepsItsReaderOfABlockThatWasDeleted() throws Exception {
        startHdfs(ALL_LINES);
        Path directory = Files.createDirectory(temp.resolve("pair"));
        try (ClonePair pair = ClonePair.ofMap(directory, hdfs.lines)) {
            pair.original.withNativeIo();
            pair.start(hdfs.job());
            pair.await(() -> pair.original.position() > 2000);
            hdfs.delete();
            long pid = pair.original.pid();
            pair.await(() -> blocks(pid).stream().anyMatch(file -> file.endsWith(" (deleted)")));

            assertThat(pair.refused().reason()).contains("the DataNode has no more");
            pair.original.endInput();
            assertThat(pair.original.exitCode()).as(pair.original.log()).isZero();
            HdfsLines.assertAll(MapOutput.read(pair.original.local, TaskJvm.ATTEMPT));
        }
    }

    /** Those whose files a process has open. */
    private static List<String> blocks(long pid) throws IOException {
        return OpenFiles.of(pid).stream().filter(target -> target.contains("/blk_")).toList();
    }
}
