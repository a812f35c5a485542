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
package org.apache.hadoop.clone.hdfs.read.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DuplicateReadKeysTest {
    private static final Pattern ROW =
            Pattern.compile("^\\| `(dfs\\.[a-z.]*duplicate\\.[a-z-]+)` \\| `([^`]*)` \\|");

    @Test
    void theReferenceAndTheKeysAgree() throws Exception {
        assertThat(documented()).isEqualTo(declared());
    }

    private static Map<String, String> documented() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../docs/configuration.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.find()) {
                rows.put(row.group(1), row.group(2));
            }
        }
        return rows;
    }

    private static Map<String, String> declared() throws ReflectiveOperationException {
        Map<String, String> keys = new TreeMap<>();
        for (Field field : DuplicateReadKeys.class.getFields()) {
            if (!field.getName().endsWith("_DEFAULT")) {
                Field preset = DuplicateReadKeys.class.getField(field.getName() + "_DEFAULT");
                keys.put((String) field.get(null), preset.get(null).toString());
            }
        }
        return keys;
    }
}
