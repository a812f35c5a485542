package org.apache.hadoop.clone.task;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.Arrays;

/** The hooks of Hadoop's record readers, which are there only while a clone is being prepared. */
final class ReaderHooks {
    private final Instrumentation instrumentation;
    private boolean there;

    ReaderHooks(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    void add() throws UnmodifiableClassException {
        there = true;
        HookWriter.withBoundaries(true);
        retransformReaders();
    }

    /** Harmless if they aren't there. */
    void remove() throws UnmodifiableClassException {
        if (there) {
            there = false;
            HookWriter.withBoundaries(false);
            retransformReaders();
        }
    }

    private void retransformReaders() throws UnmodifiableClassException {
        Class<?>[] readers =
                Arrays.stream(instrumentation.getAllLoadedClasses())
                        .filter(HookWriter::isReader)
                        .toArray(Class<?>[]::new);
        if (readers.length > 0) {
            instrumentation.retransformClasses(readers);
        }
    }
}
