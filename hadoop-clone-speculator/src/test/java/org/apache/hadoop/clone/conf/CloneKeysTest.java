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
package org.apache.hadoop.clone.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class CloneKeysTest {
    private static final Pattern ROW =
            Pattern.compile("^\\| `(mapreduce\\.clone\\.[a-z.-]+)` \\| (?:`([^`]*)`|none) \\|");

    @Test
    void theReferenceAndTheKeysAgree() throws Exception {
        assertThat(documented()).isEqualTo(declared());
    }

    private static Map<String, String> documented() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../docs/configuration.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.find()) {
                rows.put(row.group(1), Objects.requireNonNullElse(row.group(2), ""));
            }
        }
        return rows;
    }

    private static Map<String, String> declared() throws ReflectiveOperationException {
        Map<String, String> keys = new TreeMap<>();
        for (Field field : CloneKeys.class.getFields()) {
            if (!field.getName().endsWith("_DEFAULT")) {
                Field preset = CloneKeys.class.getField(field.getName() + "_DEFAULT");
                keys.put((String) field.get(null), preset.get(null).toString());
            }
        }
        return keys;
    }

    @Test
    void aModeIsReadHoweverItIsWritten() {
        Configuration conf = new Configuration(false);
        assertThat(CloneMode.of(conf)).isEqualTo(CloneMode.ON);
        conf.set(CloneKeys.MODE, " Shadow ");
        assertThat(CloneMode.of(conf)).isEqualTo(CloneMode.SHADOW);
        Arrays.stream(CloneMode.values())
                .forEach(
                        mode -> {
                            conf.set(CloneKeys.MODE, mode.name());
                            assertThat(CloneMode.of(conf)).isEqualTo(mode);
                        });
    }

    @Test
    void anotherModeIsRefusedWithTheFix() {
        Configuration conf = new Configuration(false);
        conf.set(CloneKeys.MODE, "yes");
        assertThatThrownBy(() -> CloneMode.of(conf))
                .hasMessage("mapreduce.clone.mode is 'yes': set it to off, shadow or on");
    }
}
