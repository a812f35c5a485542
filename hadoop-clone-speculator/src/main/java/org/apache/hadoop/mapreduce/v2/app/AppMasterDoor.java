package org.apache.hadoop.mapreduce.v2.app;

import java.lang.reflect.Field;

/** What {@link MRAppMaster#main} does and its subclasses can't. */
public final class AppMasterDoor {
    private AppMasterDoor() {}

    /** Without it an AppMaster takes itself for a test's, and never ends its process. */
    public static void markMainStarted() throws ReflectiveOperationException {
        Field started = MRAppMaster.class.getDeclaredField("mainStarted");
        started.setAccessible(true);
        started.set(null, true);
    }

    /** Ends the AppMaster in order when its process is told to end. */
    public static Runnable shutdownHook(MRAppMaster appMaster) {
        return new MRAppMaster.MRAppMasterShutdownHook(appMaster);
    }
}
