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

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** Reads the switch file. As long as that is what it was, one question says so. */
final class SwitchFile {
    private static final int MOST_BYTES = 64 << 10;

    private final Configuration conf;
    private final String name;
    private FileContext files;
    private long modified;
    private long length;
    private SwitchRules rules;

    SwitchFile(Configuration conf, String name) {
        this.conf = conf;
        this.name = name;
    }

    /**
     * @throws IOException if it isn't there or can't be read
     * @throws IllegalArgumentException if it can't be understood
     */
    SwitchRules look() throws IOException {
        Path path = new Path(name);
        if (files == null) {
            files = FileContext.getFileContext(conf);
        }
        FileStatus status = files.getFileStatus(path);
        if (rules == null
                || status.getModificationTime() != modified
                || status.getLen() != length) {
            rules = null;
            rules = read(path, status);
            modified = status.getModificationTime();
            length = status.getLen();
        }
        return rules;
    }

    private SwitchRules read(Path path, FileStatus status) throws IOException {
        if (!status.isFile() || status.getLen() > MOST_BYTES) {
            throw new IOException("it is no file, or has more than " + MOST_BYTES + " bytes");
        }
        try (InputStream in = files.open(path)) {
            byte[] bytes = in.readNBytes(MOST_BYTES);
            return SwitchRules.parse(
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        }
    }
}
