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
package org.apache.hadoop.clone.limits;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slots that this AppMaster holds: one of each cap for each of its clones under way. The file
 * system is asked when a clone is ordered, and every half minute as long as one is under way; by a
 * thread of its own, for which an order waits no longer than a second.
 *
 * <p>Without an answer there is no slot, and without a slot no clone. A holder that gives no sign
 * of life for minutes loses its slots to others and keeps its clones: for so long there are too
 * many.
 */
@InterfaceAudience.Private
public final class CloneSlots extends AbstractService {
    private static final Logger LOG = LoggerFactory.getLogger(CloneSlots.class);

    /** Of those who look at the same time one gets each file; trying them all is no use. */
    private static final int MOST_TRIES = 3;

    private final SlotDirectory directory;
    private final LimitTimes times;
    private final Random random = new Random();
    private final Map<TaskId, List<SlotName>> held = new HashMap<>();
    private ScheduledExecutorService thread;
    private String trouble = "";
    private long askAgainMillis = Long.MIN_VALUE;

    /** Slots, or why there are none. */
    private record Answer(List<SlotName> slots, String trouble) {
        static Answer none(String trouble) {
            return new Answer(List.of(), trouble);
        }
    }

    CloneSlots(SlotDirectory directory, LimitTimes times) {
        super(CloneSlots.class.getSimpleName());
        this.directory = directory;
        this.times = times;
    }

    /** For the AppMaster of a job that has a switch file. */
    public static CloneSlots of(Configuration conf) {
        return new CloneSlots(new SlotDirectory(conf), LimitTimes.PRESET);
    }

    @Override
    protected void serviceStart() throws Exception {
        thread = HadoopExecutors.newSingleThreadScheduledExecutor(CloneSlots::daemon);
        thread.execute(this::open);
        thread.scheduleWithFixedDelay(
                this::renew, times.renewMillis(), times.renewMillis(), TimeUnit.MILLISECONDS);
        super.serviceStart();
    }

    /** Opening a file system may take longer than an order waits for its slots. */
    private void open() {
        try {
            directory.list();
        } catch (IOException | RuntimeException | Error e) {
            LOG.debug("Slots can't be seen; an order that needs one says so", e);
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "Clone slots");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    protected void serviceStop() throws Exception {
        if (thread != null) {
            keepOnly(task -> false);
            thread.shutdown();
            if (!thread.awaitTermination(times.slotMillis(), TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        }
        super.serviceStop();
    }

    /** Why no slot is asked for now; empty if one is. */
    public synchronized Optional<String> obstacle() {
        return Time.monotonicNow() < askAgainMillis ? Optional.of(trouble) : Optional.empty();
    }

    /**
     * Runs the order of the task's clone if it gets a slot of each cap. Those are held until {@link
     * #keepOnly} says otherwise.
     *
     * @return whether it has
     */
    public boolean order(TaskId task, List<SlotLimit> caps, Runnable order) {
        if (caps.isEmpty()) {
            order.run();
            return true;
        }
        if (obstacle().isPresent()) {
            return false;
        }
        Answer answer = ask(caps);
        if (!answer.trouble().isEmpty()) {
            LOG.info("No clone of {} now: {}", task, answer.trouble());
            avoid(answer.trouble());
            return false;
        }
        try {
            order.run();
        } catch (RuntimeException | Error e) {
            thread.execute(() -> giveBack(answer.slots()));
            throw e;
        }
        hold(task, answer.slots());
        return true;
    }

    private synchronized void avoid(String why) {
        trouble = why;
        askAgainMillis = Time.monotonicNow() + times.retryMillis();
    }

    /** Beside those of its clone before, if nobody has looked yet whether that has ended. */
    private synchronized void hold(TaskId task, List<SlotName> slots) {
        held.computeIfAbsent(task, any -> new ArrayList<>()).addAll(slots);
    }

    private Answer ask(List<SlotLimit> caps) {
        CompletableFuture<Answer> answer =
                new CompletableFuture<Answer>()
                        .completeOnTimeout(
                                Answer.none("the file system with its slots doesn't answer"),
                                times.slotMillis(),
                                TimeUnit.MILLISECONDS);
        thread.execute(
                () -> {
                    Answer found = take(caps);
                    if (!answer.complete(found)) {
                        giveBack(found.slots());
                    }
                });
        return answer.join();
    }

    private Answer take(List<SlotLimit> caps) {
        List<SlotName> taken = new ArrayList<>();
        String without;
        try {
            List<SlotTable.Held> files = directory.list();
            for (SlotLimit cap : caps) {
                Optional<SlotName> one = take(files, cap);
                if (one.isEmpty()) {
                    giveBack(taken);
                    return Answer.none("at most " + cap.clones() + " at once in: " + cap.scope());
                }
                taken.add(one.get());
            }
            return new Answer(taken, "");
        } catch (IOException | RuntimeException | Error e) {
            without = "no access to its slots: " + e.toString().lines().findFirst().orElse("");
        }
        giveBack(taken);
        return Answer.none(without);
    }

    private Optional<SlotName> take(List<SlotTable.Held> files, SlotLimit cap) throws IOException {
        List<SlotName> free = SlotTable.free(files, cap, Time.now(), times.deadMillis(), random);
        for (SlotName slot : free.subList(0, Math.min(MOST_TRIES, free.size()))) {
            if (directory.create(slot)) {
                return Optional.of(slot);
            }
        }
        return Optional.empty();
    }

    /** Gives back the slots of all other tasks; returns at once. To be called often. */
    public void keepOnly(Predicate<TaskId> tasks) {
        List<SlotName> ended = new ArrayList<>();
        synchronized (this) {
            held.entrySet()
                    .removeIf(one -> !tasks.test(one.getKey()) && ended.addAll(one.getValue()));
        }
        if (!ended.isEmpty()) {
            thread.execute(() -> giveBack(ended));
        }
    }

    private void giveBack(List<SlotName> slots) {
        for (SlotName slot : slots) {
            try {
                directory.delete(slot);
            } catch (IOException | RuntimeException | Error e) {
                LOG.warn("{} can't be given back, and is free later: {}", slot, e.toString());
            }
        }
    }

    private void renew() {
        for (SlotName slot : all()) {
            try {
                if (!directory.touch(slot, Time.now())) {
                    LOG.warn("{} is gone; its clone goes on", slot);
                }
            } catch (IOException | RuntimeException | Error e) {
                LOG.warn("{} can't be renewed: {}", slot, e.toString());
            }
        }
    }

    private synchronized List<SlotName> all() {
        return held.values().stream().flatMap(List::stream).toList();
    }
}
