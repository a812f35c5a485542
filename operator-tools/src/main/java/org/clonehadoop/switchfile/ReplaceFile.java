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

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;

/**
 * {@code hadoop jar JAR org.clonehadoop.switchfile.ReplaceFile NEW FILE}: NEW takes FILE's place,
 * in one step of the file system: whoever looks finds the old one or the new one. {@code hadoop fs
 * -put -f} and {@code -mv} take the old one away first, and without a switch file clones are off.
 * Exit code 0: done; 1: not, and why.
 */
public final class ReplaceFile {
    private ReplaceFile() {}

    public static void main(String[] paths) {
        try {
            replace(new Path(paths[0]), new Path(paths[1]), new Configuration());
        } catch (IOException | RuntimeException e) {
            System.err.println("ReplaceFile: " + e.getMessage());
            System.exit(1);
        }
    }

    /** Both are of one file system. */
    static void replace(Path fresh, Path file, Configuration conf) throws IOException {
        FileContext.getFileContext(conf)
                .rename(whole(fresh, conf), whole(file, conf), Options.Rename.OVERWRITE);
    }

    /** FileContext takes no hdfs:///path: only FileSystem fills in the default's host. */
    private static Path whole(Path path, Configuration conf) throws IOException {
        return path.getFileSystem(conf).makeQualified(path);
    }
}
