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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.clonehadoop.benchmarks.harness.ProcFile;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {
    @Test
    void countsPrivateAndSharedMemoryButNoFiles() {
        assertThat(MemoryWatch.heldBy(status("100"), 100)).isEqualTo(30);
    }

    @Test
    void countsTheToolInTheClonesNamespace() {
        assertThat(MemoryWatch.heldBy(status("300\t1"), 100)).isEqualTo(30);
    }

    @Test
    void leavesOutTheClone() {
        assertThat(MemoryWatch.heldBy(status("301\t100"), 100)).isZero();
    }

    @Test
    void aZombieHoldsNothing() {
        assertThat(MemoryWatch.heldBy(new ProcFile(List.of("NSpid:\t100")), 100)).isZero();
    }

    private static ProcFile status(String pids) {
        return new ProcFile(
                List.of(
                        "NSpid:\t" + pids,
                        "RssAnon:\t      10 kB",
                        "RssFile:\t     500 kB",
                        "RssShmem:\t      20 kB"));
    }
}
