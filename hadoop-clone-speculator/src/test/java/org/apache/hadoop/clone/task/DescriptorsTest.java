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

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is really open in this process. */
class DescriptorsTest {
    @TempDir private Path directory;

    private Path own;
    private Path foreign;

    @BeforeEach
    void files() throws IOException {
        own = Files.createDirectory(directory.resolve("own")).toRealPath();
        foreign = Files.createFile(directory.resolve("foreign")).toRealPath();
    }

    private List<String> obstacles() {
        Set<String> all = Descriptors.obstacles(List.of(own), new JobConf(false));
        // The test's runner has files of its own.
        return all.stream().filter(one -> one.contains(directory.toString())).toList();
    }

    private List<String> obstaclesWith(Closeable open) throws IOException {
        try (open) {
            return obstacles();
        }
    }

    @Test
    void aFileThatIsOnlyReadIsNoObstacle() throws IOException {
        assertThat(obstaclesWith(new FileInputStream(foreign.toFile()))).isEmpty();
    }

    @Test
    void oneThatIsWrittenSomewhereElseIs() throws IOException {
        String reason = "it writes to " + foreign + ", which isn't in its own directories";
        assertThat(obstaclesWith(new FileOutputStream(foreign.toFile(), true)))
                .containsExactly(reason);
        assertThat(obstaclesWith(new RandomAccessFile(foreign.toFile(), "rw")))
                .containsExactly(reason);
    }

    @Test
    void oneOfItsOwnIsNot() throws IOException {
        assertThat(obstaclesWith(new FileOutputStream(own.resolve("mine").toFile()))).isEmpty();
    }

    @Test
    void oneThatIsDeletedIsNot() throws IOException {
        FileOutputStream open = new FileOutputStream(foreign.toFile());
        Files.delete(foreign);
        assertThat(obstaclesWith(open)).isEmpty();
    }

    @Test
    void aSocketThatListensIs() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Descriptors.obstacles(List.of(own), new JobConf(false)))
                    .anyMatch(one -> one.endsWith(":" + socket.getLocalPort()));
        }
    }
}
