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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What tells a process from its clone without trusting a clock: its PID namespace and its machine's
 * boot. A clone always runs in a PID namespace of its own; only a process for which both are as
 * noted before the freeze is the original.
 */
record ProcessIdentity(String pidNamespace, String bootId) {
    private static final NextTry NEXT_TRY = new NextTry("Can't tell which process this is");

    /** Of this process, now. */
    static ProcessIdentity current() {
        try {
            return new ProcessIdentity(
                    Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString(),
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ProcessIdentity awaitCurrent() {
        while (true) {
            try {
                return current();
            } catch (RuntimeException | Error e) {
                NEXT_TRY.after(e);
            }
        }
    }

    /**
     * Is this the process that it was? Not by a record's own {@code equals}: Java makes that at its
     * first call, which takes 150 ms, and the gate is closed meanwhile. If it can't be told, as by
     * a process that has no descriptor left, it is asked again: nothing else opens the gate.
     */
    boolean isStillThisProcess() {
        ProcessIdentity now = awaitCurrent();
        return pidNamespace.equals(now.pidNamespace) && bootId.equals(now.bootId);
    }
}
