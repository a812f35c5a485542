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
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;

/** What a DataNode locks before it touches a replica, which differs by the line of Hadoop. */
interface ReplicaLocks {
    /** With which a replica can be looked at, and stays as it is. */
    AutoCloseDataSetLock read(ExtendedBlock block, String storage);

    /** With which a replica can be made. */
    AutoCloseDataSetLock write(ExtendedBlock block, String storage);

    /**
     * Of the DataNode in this process.
     *
     * @throws IllegalStateException if this Hadoop locks in another way
     */
    static ReplicaLocks of(DataNodeLockManager<AutoCloseDataSetLock> manager) {
        for (LockLevel level : LockLevel.values()) {
            if (level.name().equals("DIR")) {
                return new OfDirectories(manager, level);
            }
        }
        return new OfVolumes(manager);
    }

    /** Hadoop 3.4. */
    record OfVolumes(DataNodeLockManager<AutoCloseDataSetLock> manager) implements ReplicaLocks {
        @Override
        public AutoCloseDataSetLock read(ExtendedBlock block, String storage) {
            return manager.readLock(LockLevel.VOLUME, block.getBlockPoolId(), storage);
        }

        @Override
        public AutoCloseDataSetLock write(ExtendedBlock block, String storage) {
            return manager.writeLock(LockLevel.VOLUME, block.getBlockPoolId(), storage);
        }
    }

    /** Hadoop 3.5 (HDFS-17496), whose classes for that are loaded by name: 3.4 has none. */
    final class OfDirectories implements ReplicaLocks {
        private static final String STRATEGY =
                "org.apache.hadoop.hdfs.server.datanode.DataNodeLayoutSubLockStrategy";

        private final DataNodeLockManager<AutoCloseDataSetLock> manager;
        private final LockLevel level;
        private final Object strategy;
        private final Method directory;

        OfDirectories(DataNodeLockManager<AutoCloseDataSetLock> manager, LockLevel level) {
            this.manager = manager;
            this.level = level;
            try {
                Constructor<?> maker = Class.forName(STRATEGY).getConstructor();
                strategy = maker.newInstance();
                directory = strategy.getClass().getMethod("blockIdToSubLock", long.class);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("this Hadoop locks replicas in another way", e);
            }
        }

        @Override
        public AutoCloseDataSetLock read(ExtendedBlock block, String storage) {
            return manager.readLock(level, block.getBlockPoolId(), storage, directory(block));
        }

        @Override
        public AutoCloseDataSetLock write(ExtendedBlock block, String storage) {
            return manager.writeLock(level, block.getBlockPoolId(), storage, directory(block));
        }

        private String directory(ExtendedBlock block) {
            try {
                return (String) directory.invoke(strategy, block.getBlockId());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("no lock for " + block, e);
            }
        }
    }
}
