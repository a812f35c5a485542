package org.apache.hadoop.mapreduce.v2.app;

import java.lang.reflect.Field;
import org.apache.hadoop.mapreduce.v2.app.rm.AllocatorDoor;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator;

/** What {@link MRAppMaster#main} does and its subclasses can't. */
public final class AppMasterDoor {
    private AppMasterDoor() {}

    /** Without it an AppMaster takes itself for a test's, and never ends its process. */
    public static void markMainStarted() throws ReflectiveOperationException {
        Field started = MRAppMaster.class.getDeclaredField("mainStarted");
        started.setAccessible(true);
        started.set(null, true);
    }

    /**
     * An exchange with the ResourceManager, beside those that take place at intervals; none for a
     * job that runs within its AppMaster.
     */
    public static void heartbeat(ContainerAllocator allocator) throws Exception {
        Field router = allocator.getClass().getDeclaredField("containerAllocator");
        router.setAccessible(true);
        if (router.get(allocator) instanceof RMContainerAllocator asking) {
            AllocatorDoor.heartbeat(asking);
        }
    }

    /** Ends the AppMaster in order when its process is told to end. */
    public static Runnable shutdownHook(MRAppMaster appMaster) {
        return new MRAppMaster.MRAppMasterShutdownHook(appMaster);
    }
}
