package org.apache.hadoop.clone.crac;

/** As {@code org.crac.Core}. */
public final class Core {
    /** System property by which {@code org.crac} is told which package to use. */
    private static final String PROPERTY = "org.crac.Core.Compat";

    private static final Context GLOBAL = new Context();

    private Core() {}

    /** Makes this package the one that {@code org.crac} uses, unless somebody chose another. */
    public static void offer() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, Core.class.getPackageName());
        }
    }

    public static Context getGlobalContext() {
        return GLOBAL;
    }

    /**
     * @throws UnsupportedOperationException always: the AppMaster orders clones, not the task
     */
    public static void checkpointRestore() {
        throw new UnsupportedOperationException("a task is cloned when its AppMaster orders it");
    }
}
