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
package org.apache.hadoop.mapreduce.v2.app;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.seam.HiddenField;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.rm.AllocatorDoor;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerRequestEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator;
import org.apache.hadoop.mapreduce.v2.util.MRApps;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;

/** What {@link MRAppMaster#main} does and its subclasses can't. */
@InterfaceAudience.Private
public final class AppMasterDoor {
    private static final HiddenField<Boolean> MAIN_STARTED =
            HiddenField.of("org/apache/hadoop/mapreduce/v2/app/MRAppMaster", "mainStarted", "Z");
    private static final HiddenField<Object> ROUTED_ALLOCATOR =
            HiddenField.of(
                    "org/apache/hadoop/mapreduce/v2/app/MRAppMaster$ContainerAllocatorRouter",
                    "containerAllocator",
                    "Lorg/apache/hadoop/mapreduce/v2/app/rm/ContainerAllocator;");

    private static final HiddenField<ClassLoader> JOB_CLASSES =
            HiddenField.of(
                    "org/apache/hadoop/mapreduce/v2/app/MRAppMaster",
                    "jobClassLoader",
                    "Ljava/lang/ClassLoader;");

    private AppMasterDoor() {}

    /**
     * Without it an AppMaster takes itself for a test's, and never ends its process.
     *
     * @throws IllegalStateException if this Hadoop's begin in another way
     */
    public static void markMainStarted() {
        MAIN_STARTED.set(null, true);
    }

    /**
     * An exchange with the ResourceManager, beside those that take place at intervals; none for a
     * job that runs within its AppMaster.
     */
    public static boolean heartbeat(ContainerAllocator allocator) throws Exception {
        return ROUTED_ALLOCATOR.get(allocator) instanceof RMContainerAllocator asking
                && AllocatorDoor.heartbeat(asking);
    }

    /** As {@link AllocatorDoor#speakThrough}; nothing in a job that runs within its AppMaster. */
    public static void speakThrough(
            ContainerAllocator allocator, UnaryOperator<ApplicationMasterProtocol> wrapper) {
        if (ROUTED_ALLOCATOR.get(allocator) instanceof RMContainerAllocator asking) {
            AllocatorDoor.speakThrough(asking, wrapper);
        }
    }

    /** As {@link AllocatorDoor#replace}; false for a job that runs within its AppMaster. */
    public static boolean replace(
            ContainerAllocator allocator, ContainerRequestEvent request, TaskAttemptId reduce) {
        return ROUTED_ALLOCATOR.get(allocator) instanceof RMContainerAllocator asking
                && AllocatorDoor.replace(asking, request, reduce);
    }

    /** As {@link AllocatorDoor#repeatRequests}; nothing in a job that runs within its AppMaster. */
    public static void repeatRequests(ContainerAllocator allocator) {
        if (ROUTED_ALLOCATOR.get(allocator) instanceof RMContainerAllocator asking) {
            AllocatorDoor.repeatRequests(asking);
        }
    }

    /** As {@link AllocatorDoor#handOver}; false for a job that runs within its AppMaster. */
    public static boolean handOver(
            ContainerAllocator allocator,
            TaskAttemptId reduce,
            TaskAttemptId map,
            boolean asks,
            BooleanSupplier wanted) {
        return ROUTED_ALLOCATOR.get(allocator) instanceof RMContainerAllocator asking
                && AllocatorDoor.handOver(asking, reduce, map, asks, wanted);
    }

    /**
     * As stock makes all that a job may name: by the job's own class loader, if it has one.
     *
     * @throws IllegalStateException if this Hadoop's AppMaster keeps that somewhere else
     */
    public static <T> T withJobClasses(
            MRAppMaster appMaster, Configuration conf, Function<Configuration, T> make) {
        ClassLoader ofJob = JOB_CLASSES.get(appMaster);
        ClassLoader before = conf.getClassLoader();
        if (ofJob == null || ofJob == before) {
            return make.apply(conf);
        }
        MRApps.setClassLoader(ofJob, conf);
        try {
            return make.apply(conf);
        } finally {
            MRApps.setClassLoader(before, conf);
        }
    }

    /** Ends the AppMaster in order when its process is told to end. */
    public static Runnable shutdownHook(MRAppMaster appMaster) {
        return new MRAppMaster.MRAppMasterShutdownHook(appMaster);
    }
}
