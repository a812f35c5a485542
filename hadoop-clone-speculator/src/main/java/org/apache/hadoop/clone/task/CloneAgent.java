package org.apache.hadoop.clone.task;

import java.lang.instrument.Instrumentation;
import org.apache.hadoop.clone.crac.Core;
import org.apache.hadoop.clone.protocol.CloneProtocol;

/**
 * The Java agent of task JVMs, {@code -javaagent:hadoop-clone-speculator.jar}. Without the
 * AppMaster's marker in the environment it does nothing at all.
 */
public final class CloneAgent {
    private CloneAgent() {}

    /** Called by the JVM before {@code main}. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        String appMaster = System.getenv(CloneProtocol.ADDRESS);
        if (appMaster == null) {
            return;
        }
        try {
            Core.offer();
            TaskHooks.enable(appMaster, instrumentation);
            instrumentation.addTransformer(new HookWriter(), true);
        } catch (RuntimeException | LinkageError e) {
            // An agent that fails would end the JVM. There is no logging yet.
            System.err.println("This task can't be cloned: " + e);
        }
    }
}
