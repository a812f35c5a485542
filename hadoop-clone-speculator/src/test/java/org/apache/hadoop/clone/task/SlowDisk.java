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

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Local files, of which spills are written slowly until somebody makes the file {@link
 * SlowOrder#HURRY} in the working directory.
 */
public class SlowDisk extends LocalFileSystem {
    /** For a buffer of stock's: a spill of 1 MB takes a minute. */
    private static final long PAUSE_MILLIS = 300;

    public SlowDisk() {
        super(new Raw());
    }

    private static final class Raw extends RawLocalFileSystem {
        @Override
        protected OutputStream createOutputStreamWithMode(
                Path file, boolean append, FsPermission permission) throws IOException {
            OutputStream out = super.createOutputStreamWithMode(file, append, permission);
            return file.getName().matches("spill[0-9]+.out") ? new Slow(out) : out;
        }
    }

    private static final class Slow extends FilterOutputStream {
        Slow(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (!Files.exists(java.nio.file.Path.of(SlowOrder.HURRY))) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
            }
            out.write(bytes, from, length);
        }
    }
}
