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
package org.apache.hadoop.mapreduce.v2.app.rm;

import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.util.resource.Resources;

/** What {@link RMContainerAllocator} does by itself, or for its own events. */
@InterfaceAudience.Private
public final class AllocatorDoor {
    private AllocatorDoor() {}

    /**
     * Sends the ResourceManager what is asked for, and takes what it has granted; to be called by
     * any thread, of which it does one at a time. Not while maps wait and none has a container:
     * then each exchange takes containers from more reduces, before those of the last ones are
     * free, and is to come as seldom as stock's own.
     *
     * @return whether it was done
     */
    public static boolean heartbeat(RMContainerAllocator allocator) throws Exception {
        synchronized (allocator) {
            boolean preempts =
                    !allocator.getScheduledRequests().maps.isEmpty()
                            && allocator.getAssignedRequests().maps.isEmpty();
            if (!preempts) {
                allocator.heartbeat();
            }
            return !preempts;
        }
    }

    /** From the next exchange on it speaks to the ResourceManager through what this makes of it. */
    public static void speakThrough(
            RMContainerAllocator allocator, UnaryOperator<ApplicationMasterProtocol> wrapper) {
        synchronized (allocator) {
            allocator.scheduler = wrapper.apply(allocator.scheduler);
        }
    }

    /**
     * Replaces a map's request that waits by another one. That is done in one step: a request that
     * was granted meanwhile, and withdrawn then, would take the container from its attempt.
     *
     * @param request stands for the one of its attempt
     * @param reduce whose container is to become the map's
     * @return false, without any effect, if no such request waits or that container is too small
     */
    public static boolean replace(
            RMContainerAllocator allocator, ContainerRequestEvent request, TaskAttemptId reduce) {
        TaskAttemptId map = request.getAttemptID();
        synchronized (allocator) {
            Container container = allocator.getAssignedRequests().reduces.get(reduce);
            if (!allocator.getScheduledRequests().maps.containsKey(map)
                    || container == null
                    || !Resources.fitsIn(request.getCapability(), container.getResource())) {
                return false;
            }
            allocator.handleEvent(
                    new ContainerAllocatorEvent(
                            map, ContainerAllocator.EventType.CONTAINER_DEALLOCATE));
            allocator.handleEvent(request);
            return true;
        }
    }

    /**
     * Tells the ResourceManager once more what is asked for, with the next exchange. It takes a
     * moment's numbers as they are; should it have granted one of them just now, it grants one too
     * many, which is given back.
     */
    public static void repeatRequests(RMContainerAllocator allocator) {
        synchronized (allocator) {
            allocator.addOutstandingRequestOnResync();
        }
    }

    /** Whether it was granted for what is asked for where maps ask that have failed before. */
    public static boolean isUrgent(Container container) {
        return RMContainerAllocator.PRIORITY_FAST_FAIL_MAP.equals(container.getPriority());
    }

    /**
     * Gives a map the container of a reduce that hasn't begun in it, also in one step. The reduce
     * has to ask for another one.
     *
     * @param asks whether the map's request is here, or on its way; else it has been withdrawn, to
     *     be made again later
     * @param wanted is asked last, under the allocator's lock, for which this may have waited
     * @return false, without any effect, if it isn't wanted, the reduce hasn't got it any more, the
     *     map has one, or what was last asked or given back for the map hasn't been handled yet
     */
    public static boolean handOver(
            RMContainerAllocator allocator,
            TaskAttemptId reduce,
            TaskAttemptId map,
            boolean asks,
            BooleanSupplier wanted) {
        synchronized (allocator) {
            RMContainerAllocator.AssignedRequests assigned = allocator.getAssignedRequests();
            RMContainerAllocator.ScheduledRequests scheduled = allocator.getScheduledRequests();
            Container container = assigned.reduces.get(reduce);
            if (container == null
                    || scheduled.maps.containsKey(map) != asks
                    || assigned.maps.containsKey(map)
                    || !wanted.getAsBoolean()) {
                return false;
            }
            scheduled.remove(map);
            assigned.remove(reduce);
            assigned.add(container, map);
            return true;
        }
    }
}
