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
package org.clonehadoop.benchmarks.reads;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.clonehadoop.benchmarks.harness.Poll;

/**
 * What the run script does for a program on one of its hosts, from where hosts can't be changed.
 */
final class Orders {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Path directory;

    /**
     * @param directory where the script looks for a file {@code order}, which it removes when it
     *     has obeyed
     */
    Orders(Path directory) {
        this.directory = directory;
    }

    /**
     * Returns when the script has done it.
     *
     * @param order two words: what, and to whom
     */
    void give(String order) throws Exception {
        Path written = directory.resolve("order");
        Path fresh = directory.resolve("order.new");
        Files.writeString(fresh, order + "\n");
        Files.move(fresh, written);
        Poll.until(order, LIMIT, () -> Files.notExists(written));
    }
}
