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
package org.apache.hadoop.clone.appmaster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.mapred.TaskAttemptID;

/**
 * What each attempt is to be told, and who waits for it: an entry and a parked answer for each
 * attempt that asks, no thread.
 */
final class Orders {
    /** How a parked question is answered. */
    interface Answer {
        void with(CloneOrder order);
    }

    private static final class Box {
        CloneOrder last = CloneOrder.none();
        Answer waiting;
        long askedMillis;
    }

    private final Map<TaskAttemptID, Box> boxes = new HashMap<>();

    /**
     * @param seen serial of the last order the attempt has seen
     * @param later gets the order if there is none yet
     * @return the order if there is one
     */
    synchronized Optional<CloneOrder> ask(
            TaskAttemptID attempt, long seen, long nowMillis, Answer later) {
        Box box = boxes.computeIfAbsent(attempt, a -> new Box());
        box.askedMillis = nowMillis;
        if (box.last.serial() > seen) {
            return Optional.of(box.last);
        }
        box.waiting = later;
        return Optional.empty();
    }

    /** Whether the attempt asks for orders at all. */
    synchronized boolean asks(TaskAttemptID attempt) {
        return boxes.containsKey(attempt);
    }

    /** The attempt has ended: nobody is there to be answered. */
    synchronized void forget(TaskAttemptID attempt) {
        boxes.remove(attempt);
    }

    /**
     * A later order takes the place of one that hasn't been fetched.
     *
     * @return whether the attempt {@linkplain #asks asks}; else nobody is told
     */
    boolean put(TaskAttemptID attempt, CloneOrder order) {
        Answer waiting;
        synchronized (this) {
            Box box = boxes.get(attempt);
            if (box == null) {
                return false;
            }
            box.last = order;
            waiting = box.waiting;
            box.waiting = null;
        }
        if (waiting != null) {
            waiting.with(order);
        }
        return true;
    }

    /**
     * Answers those that have waited since before a time, so that their connections don't time out;
     * they ask again. Forgets attempts that haven't asked since long before.
     */
    void expire(long parkedBeforeMillis, long forgetBeforeMillis) {
        List<Answer> expired = new ArrayList<>();
        synchronized (this) {
            for (Iterator<Box> i = boxes.values().iterator(); i.hasNext(); ) {
                Box box = i.next();
                if (box.waiting != null && box.askedMillis < parkedBeforeMillis) {
                    expired.add(box.waiting);
                    box.waiting = null;
                } else if (box.waiting == null && box.askedMillis < forgetBeforeMillis) {
                    i.remove();
                }
            }
        }
        expired.forEach(answer -> answer.with(CloneOrder.none()));
    }
}
