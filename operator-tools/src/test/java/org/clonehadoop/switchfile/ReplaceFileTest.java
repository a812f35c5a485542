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
package org.clonehadoop.switchfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplaceFileTest {
    @TempDir private java.nio.file.Path directory;

    private Path path(String name) {
        return new Path(directory.resolve(name).toUri());
    }

    private boolean replace() throws IOException {
        return ReplaceFile.replace(
                path("new"), path("switch"), directory.resolve("old"), new Configuration());
    }

    @Test
    void aFileTakesAnothersPlaceOrOneThatIsntTaken() throws IOException {
        for (String text : new String[] {"on", "off"}) {
            Files.writeString(directory.resolve("new"), text);
            assertThat(replace()).isTrue();
            assertThat(directory.resolve("switch")).hasContent(text);
            assertThat(directory.resolve("new")).doesNotExist();
            Files.writeString(directory.resolve("old"), text);
        }
    }

    @Test
    void aFileThatWasChangedStays() throws IOException {
        Files.writeString(directory.resolve("old"), "on");
        Files.writeString(directory.resolve("switch"), "on\noff user bob");
        Files.writeString(directory.resolve("new"), "off");

        assertThat(replace()).isFalse();
        assertThat(directory.resolve("switch")).hasContent("on\noff user bob");
    }

    @Test
    void aFileThatAppearedStays() throws IOException {
        Files.createFile(directory.resolve("switch"));
        Files.writeString(directory.resolve("new"), "on");

        assertThat(replace()).isFalse();
        assertThat(directory.resolve("switch")).isEmptyFile();
    }

    @Test
    void aFileThatWasRemovedIsntMadeAgain() throws IOException {
        Files.writeString(directory.resolve("old"), "on");
        Files.writeString(directory.resolve("new"), "off queue a");

        assertThat(replace()).isFalse();
        assertThat(directory.resolve("switch")).doesNotExist();
    }

    /** As hdfs:///path, which every command of Hadoop takes. */
    @Test
    void theDefaultFileSystemsHostNeedntBeNamed() throws IOException {
        Configuration conf = new Configuration();
        conf.set("fs.defaultFS", "viewfs://cluster/");
        conf.set("fs.viewfs.mounttable.cluster.link./clone", directory.toUri().toString());
        Files.writeString(directory.resolve("new"), "on");

        ReplaceFile.replace(
                new Path("viewfs:///clone/new"),
                new Path("viewfs:///clone/switch"),
                directory.resolve("old"),
                conf);

        assertThat(directory.resolve("switch")).hasContent("on");
    }

    /** {@code hadoop} may run on an older Java than containers do. */
    @Test
    void itsClassRunsOnJava8() throws IOException {
        try (DataInputStream in =
                new DataInputStream(ReplaceFile.class.getResourceAsStream("ReplaceFile.class"))) {
            assertThat(in.readInt()).isEqualTo(0xCAFEBABE);
            in.readUnsignedShort(); // minor
            assertThat(in.readUnsignedShort()).as("major version").isEqualTo(52);
        }
    }

    @Test
    void withoutANewOneTheOldOneStays() throws IOException {
        Files.writeString(directory.resolve("old"), "on");
        Files.writeString(directory.resolve("switch"), "on");
        assertThatThrownBy(this::replace).isInstanceOf(IOException.class);
        assertThat(directory.resolve("switch")).hasContent("on");
    }
}
