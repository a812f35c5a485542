package org.apache.hadoop.clone.task;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.Arrays;
import java.util.Map;

/** The hooks where a task gets its next record, which are there only while a clone is prepared. */
final class RecordHooks {
    private final Map<String, String> records;
    private boolean there;

    /**
     * @param records methods by their classes, as {@link HookWriter} has them
     */
    RecordHooks(Map<String, String> records) {
        this.records = records;
    }

    /**
     * Harmless if they are there.
     *
     * @throws IllegalStateException if this JVM can't be given an agent
     */
    void add() throws UnmodifiableClassException {
        if (there) {
            return;
        }
        CloneAgent.instrumentation();
        there = true;
        HookWriter.withBoundaries(records);
        retransform();
    }

    /** Harmless if they aren't there. */
    void remove() throws UnmodifiableClassException {
        if (there) {
            there = false;
            HookWriter.withBoundaries(Map.of());
            retransform();
        }
    }

    private void retransform() throws UnmodifiableClassException {
        Instrumentation instrumentation = CloneAgent.instrumentation();
        Class<?>[] loaded =
                Arrays.stream(instrumentation.getAllLoadedClasses())
                        .filter(type -> records.containsKey(type.getName().replace('.', '/')))
                        .toArray(Class<?>[]::new);
        if (loaded.length > 0) {
            instrumentation.retransformClasses(loaded);
        }
    }
}
