package org.apache.hadoop.mapred;

import java.util.Arrays;
import org.apache.hadoop.clone.task.TaskHooks;

/**
 * A task's JVM that can be cloned: Hadoop's YarnChild, whose name and arguments follow, among
 * classes that have hooks. Here because YarnChild can be seen in this package only.
 */
public final class CloneableChild {
    private static final int ATTEMPT = 3;

    private CloneableChild() {}

    /** As {@code YarnChild.main}. */
    public static void main(String[] arguments) throws Throwable {
        TaskHooks.install(arguments[ATTEMPT]);
        YarnChild.main(Arrays.copyOfRange(arguments, 1, arguments.length));
    }
}
