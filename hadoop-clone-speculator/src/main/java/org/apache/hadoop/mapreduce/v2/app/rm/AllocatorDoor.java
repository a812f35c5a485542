package org.apache.hadoop.mapreduce.v2.app.rm;

/** What {@link RMContainerAllocator} does by itself once in an interval. */
public final class AllocatorDoor {
    private AllocatorDoor() {}

    /**
     * Sends the ResourceManager what is asked for, and takes what it has granted; to be called by
     * any thread, of which it does one at a time.
     */
    public static void heartbeat(RMContainerAllocator allocator) throws Exception {
        allocator.heartbeat();
    }
}
