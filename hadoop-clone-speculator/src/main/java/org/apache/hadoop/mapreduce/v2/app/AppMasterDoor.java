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

import java.lang.reflect.Field;
import java.util.function.Function;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.rm.AllocatorDoor;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator;
import org.apache.hadoop.mapreduce.v2.util.MRApps;

/** What {@link MRAppMaster#main} does and its subclasses can't. */
@InterfaceAudience.Private
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

    /**
     * As stock makes all that a job may name: by the job's own class loader, if it has one.
     *
     * @throws ReflectiveOperationException if this Hadoop's AppMaster keeps that somewhere else
     */
    public static <T> T withJobClasses(
            MRAppMaster appMaster, Configuration conf, Function<Configuration, T> make)
            throws ReflectiveOperationException {
        Field field = MRAppMaster.class.getDeclaredField("jobClassLoader");
        field.setAccessible(true);
        ClassLoader ofJob = (ClassLoader) field.get(appMaster);
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
