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

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;

/**
 * {@code hadoop jar JAR org.clonehadoop.switchfile.ReplaceFile NEW FILE OLD}: NEW takes FILE's
 * place, if FILE still has what the local file OLD has, or still isn't there and OLD isn't either.
 * It does so in one step of the file system: readers find the old one or the new one. {@code hadoop
 * fs -put -f} and {@code -mv} take the old one away first, and without a switch file clones are
 * off. Exit code 0: done; 1: not, and why; 3: not, since FILE has changed.
 */
public final class ReplaceFile {
    private static final int FAILED = 1;
    private static final int CHANGED = 3;
    private static final int BUFFER_BYTES = 4096;

    private ReplaceFile() {}

    public static void main(String[] paths) {
        int code = 0;
        try {
            Configuration conf = new Configuration();
            if (!replace(new Path(paths[0]), new Path(paths[1]), Paths.get(paths[2]), conf)) {
                code = CHANGED;
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("ReplaceFile: " + e.getMessage());
            code = FAILED;
        }
        System.exit(code);
    }

    /**
     * @param file of the same file system as the fresh one
     * @return false if it has changed: then nothing is done
     */
    static boolean replace(Path fresh, Path file, java.nio.file.Path old, Configuration conf)
            throws IOException {
        FileContext files = FileContext.getFileContext(conf);
        Path target = whole(file, conf);
        byte[] before = Files.exists(old) ? Files.readAllBytes(old) : null;
        if (!Arrays.equals(content(files, target), before)) {
            return false;
        }
        files.rename(whole(fresh, conf), target, Options.Rename.OVERWRITE);
        return true;
    }

    /** Null if there is no such file. */
    private static byte[] content(FileContext files, Path file) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (InputStream in = files.open(file)) {
            IOUtils.copyBytes(in, content, BUFFER_BYTES, false);
            return content.toByteArray();
        } catch (FileNotFoundException e) {
            return null;
        }
    }

    /** FileContext takes no hdfs:///path: only FileSystem fills in the default's host. */
    private static Path whole(Path path, Configuration conf) throws IOException {
        return path.getFileSystem(conf).makeQualified(path);
    }
}
