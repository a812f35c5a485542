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
package org.clonehadoop.benchmarks.remoteclone;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.clonehadoop.benchmarks.harness.Programs;

/** How long {@code cp} takes for a file on a tmpfs: what moving that many bytes costs at least. */
final class CopyYardstick {
    private final Programs programs;
    private final Path source;
    private final Path copy;
    private final Path hugeCopy;

    /**
     * @param hugeTmpfs one of huge pages, as the tool's RAM disk is
     */
    CopyYardstick(Programs programs, Path tmpfs, Path hugeTmpfs) {
        this.programs = programs;
        source = tmpfs.resolve("source");
        copy = tmpfs.resolve("copy");
        hugeCopy = hugeTmpfs.resolve("copy");
    }

    double measureMs(long bytes) throws IOException, InterruptedException {
        if (!Files.exists(source) || Files.size(source) != bytes) {
            fill(source, bytes);
        }
        long start = System.nanoTime();
        programs.run(List.of("cp", source.toString(), copy.toString()));
        long end = System.nanoTime();
        Files.delete(copy);
        return (end - start) / 1e6;
    }

    /**
     * Touches so much free memory and gives it back. A virtual machine's host may have taken it
     * away (free page reporting, two seconds after it became free), and would charge 1 to 2 ms per
     * MB to whoever needs it next: to the clone or to the yardstick, by chance. Small pages come
     * out of pieces that the host never takes as long as there are such; the memory that huge pages
     * come from has to be touched as huge pages.
     */
    void warmMemory(long bytes) throws IOException {
        for (Path warm : List.of(copy, hugeCopy)) {
            fill(warm, bytes);
            Files.delete(warm);
        }
    }

    /** Every byte is written: a hole would be copied in no time. */
    private static void fill(Path path, long bytes) throws IOException {
        byte[] block = new byte[1 << 20];
        new SplittableRandom(1).nextBytes(block);
        try (OutputStream file = Files.newOutputStream(path)) {
            for (long left = bytes; left > 0; left -= block.length) {
                file.write(block, 0, (int) Math.min(left, block.length));
            }
        }
    }
}
