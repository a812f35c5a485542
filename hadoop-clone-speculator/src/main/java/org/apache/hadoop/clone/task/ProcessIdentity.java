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

    /**
     * Is this the process that it was? Not by a record's own {@code equals}: Java makes that at its
     * first call, which takes 150 ms, and the gate is closed meanwhile.
     */
    boolean isStillThisProcess() {
        ProcessIdentity now = current();
        return pidNamespace.equals(now.pidNamespace) && bootId.equals(now.bootId);
    }
}
