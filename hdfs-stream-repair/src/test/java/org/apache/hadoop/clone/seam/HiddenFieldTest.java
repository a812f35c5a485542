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
package org.apache.hadoop.clone.seam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class HiddenFieldTest {
    private static final String PATH = "org/apache/hadoop/fs/Path";

    @Test
    void isReadAndWritten() {
        HiddenField<URI> uri = HiddenField.of(PATH, "uri", "Ljava/net/URI;");
        Path path = new Path("/a");
        assertThat(uri.get(path)).isEqualTo(URI.create("/a"));
        uri.set(path, URI.create("/b"));
        assertThat(path).isEqualTo(new Path("/b"));
    }

    @Test
    void saysWhichThereIsNot() {
        HiddenField<Object> none = HiddenField.of(PATH, "url", "Ljava/net/URL;");
        assertThatThrownBy(() -> none.get(new Path("/a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("org.apache.hadoop.fs.Path.url");
    }
}
