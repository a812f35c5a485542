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
package org.apache.hadoop.clone.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneTravel;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One clone, from the offer to the moment when the original, and in the clone's process the clone,
 * run again. Both go through the same code: until the message after the freeze nothing tells them
 * apart.
 */
final class CloneMaking {
    private static final Logger LOG = LoggerFactory.getLogger(CloneMaking.class);

    /** Status of a clone that must not go on; nobody reads it but people. */
    private static final int HALTED = 70;

    /** After the tool's own limit it is certain that no freeze comes any more. */
    private static final long GRACE_MILLIS = TimeUnit.SECONDS.toMillis(60);

    /** Less than the tool's shell goes on saying that it has ended. */
    private static final long OPEN_MILLIS = TimeUnit.SECONDS.toMillis(20);

    /** After a wait as long as this the clone's worth is asked for again. */
    private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long LATER_MILLIS = 500;

    private static final Optional<String> NOT_WANTED =
            Optional.of("the AppMaster wants no clone any more");

    private static final Optional<String> OVERDUE =
            Optional.of("its output stood still for so long that a freeze might end it");

    /** Of them a clone would know nothing, or not as they are. */
    private static final Optional<String> CHANGED =
            Optional.of("files in HDFS were changed while its output was to stand still");

    private static final Optional<String> NO_STRAGGLER =
            Optional.of("it was no straggler any more when it could have been frozen");

    private final OrderLoop loop;
    private final RunningTask task;
    private final CloneOrder order;
    private final Patience patience;
    private final long gateLimitMillis;
    private Optional<String> veto = Optional.empty();
    private long linkBytesPerMilli;

    private final NextTry nextTry = new NextTry("Can't hear what becomes of a clone");
    private final Path directory;
    private final OfferWatch watch;

    /** Noted before the freeze, and until it is known who runs. */
    private ProcessIdentity original;

    private long leaveNanos;
    private long closedNanos;
    private long gateMillis;

    CloneMaking(OrderLoop loop, RunningTask task, CloneOrder order) {
        this.loop = loop;
        this.task = task;
        this.order = order;
        directory = Path.of(task.paths().workDir(), SourcePaths.CLONE_DIR);
        watch = new OfferWatch(directory);
        patience = new Patience(order.limits().patienceMillis());
        gateLimitMillis = task.millis(CloneKeys.GATE_LIMIT, CloneKeys.GATE_LIMIT_DEFAULT);
    }

    /**
     * @return the original's last answer; null in a clone that has become its attempt
     * @throws IOException if no clone can be made; the task runs on
     * @throws IllegalStateException the same, as this JVM can't be given an agent, or not all hooks
     * @throws UnmodifiableClassException the same
     */
    CloneAnswer run(byte[] jobTokenPassword)
            throws IOException, InterruptedException, UnmodifiableClassException {
        // Loaded now: the tool refuses libraries that come after its handshake.
        CloneAgent.instrumentation();
        TaskHooks.ORIGINALS.guard();
        TaskHooks.MISSING.prepare();
        try {
            Optional<String> reading = TaskHooks.LOCAL_READS.suspend(gateLimitMillis);
            return reading.isPresent()
                    ? CloneAnswer.refused(order.cloneId(), reading.get())
                    : offer(jobTokenPassword);
        } finally {
            TaskHooks.LOCAL_READS.resume();
        }
    }

    private CloneAnswer offer(byte[] jobTokenPassword) throws IOException, InterruptedException {
        SourcePaths paths = task.paths();
        OneTimeKey key = OneTimeKey.of(jobTokenPassword, order.cloneId(), order.nonce());
        String tool = task.job().getTrimmed(CloneKeys.TOOL, CloneKeys.TOOL_DEFAULT);
        Offer.Limits limits =
                new Offer.Limits(
                        limitMillis(),
                        task.millis(CloneKeys.MAX_FREEZE, CloneKeys.MAX_FREEZE_DEFAULT));
        try (Offer offer = Offer.start(directory, tool, key, task.files(), limits);
                watch) {
            // It waits for its peer, and then makes the clone.
            watch.wakeAfter(2 * limitMillis() + GRACE_MILLIS);
            String address = loop.host() + ":" + offer.port();
            loop.appMaster()
                    .answer(task.attempt(), CloneAnswer.offered(order.cloneId(), address, paths));
            task.prepare();
            return follow(offer);
        } finally {
            try {
                resume();
            } finally {
                task.release();
            }
        }
    }

    /**
     * Once it has agreed to be frozen this process may be a clone at any moment: then nothing that
     * fails ends this but the word of the tool, or that no freeze can come any more.
     */
    private CloneAnswer follow(Offer offer) throws IOException, InterruptedException {
        while (true) {
            try {
                String[] message = offer.next().split(" ");
                LOG.info("Clone {}: {}", order.cloneId(), String.join(" ", message));
                switch (message[0]) {
                    case "settle" -> {
                        linkBytesPerMilli = Offer.linkOf(message);
                        offer.reply(agree(this::settle));
                    }
                    case "quiesce" -> offer.reply(agree(this::closeGate));
                    case "clone" -> {
                        become(message[1]);
                        return null;
                    }
                    case "resumed" -> resume();
                    case "ended" -> {
                        resume();
                        return message[1].equals("0") ? sent() : failed(offer.end(message[1]));
                    }
                    default -> throw new IOException("unexpected: " + message[0]);
                }
            } catch (IOException | RuntimeException | Error e) {
                if (!mayBeFrozen()) {
                    throw e;
                }
                nextTry.after(e);
            }
        }
    }

    private boolean mayBeFrozen() {
        long limitNanos = TimeUnit.MILLISECONDS.toNanos(lastFreezeMillis());
        return TaskHooks.GATE.isClosed() && System.nanoTime() - leaveNanos < limitNanos;
    }

    /** From when it is settled. */
    private long lastFreezeMillis() {
        return limitMillis() + GRACE_MILLIS;
    }

    /** A step towards the freeze. */
    private interface Step {
        /**
         * @return why it can't be taken, if it can't
         */
        Optional<String> take() throws IOException, InterruptedException;
    }

    /** If the step can't be taken, all runs on. */
    private boolean agree(Step step) throws InterruptedException {
        boolean agreed = false;
        try {
            veto = step.take();
            veto.ifPresent(reason -> LOG.info("No clone: {}", reason));
            agreed = veto.isEmpty();
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("Not ready to be cloned", e);
            veto = Optional.of(e.toString());
        } finally {
            if (!agreed) {
                resume();
            }
        }
        return agreed;
    }

    /**
     * The task stands still, and has given back what memory it can spare; the gate is open, so that
     * nobody waits for this process while the tool takes memory for the image.
     */
    private Optional<String> settle() throws IOException, InterruptedException {
        Thread farewell = new Thread(this::letGo);
        Runtime.getRuntime().addShutdownHook(farewell);
        try {
            return standStill();
        } finally {
            Runtime.getRuntime().removeShutdownHook(farewell);
        }
    }

    private Optional<String> standStill() throws IOException, InterruptedException {
        Optional<String> notNow = awaitLeave();
        if (notNow.isPresent()) {
            return notNow;
        }
        leaveNanos = System.nanoTime();
        original = ProcessIdentity.current();
        watch.wakeAfter(lastFreezeMillis());
        Optional<String> obstacle = task.park(gateLimitMillis, patience);
        if (obstacle.isEmpty()) {
            // Asked when the clone was planned; but that was before its container was there.
            obstacle = task.obstacle();
        }
        if (obstacle.isEmpty()) {
            obstacle = TaskHooks.RESOURCES.close(gateLimitMillis);
        }
        if (obstacle.isEmpty()) {
            obstacle = task.restless(patience.atMost(gateLimitMillis));
        }
        if (obstacle.isEmpty()) {
            // A client that was made since, or a reader that was just being made then.
            obstacle = TaskHooks.LOCAL_READS.suspend(gateLimitMillis);
        }
        if (obstacle.isEmpty()) {
            obstacle = task.strangers();
        }
        return obstacle;
    }

    private Optional<String> closeGate() throws IOException, InterruptedException {
        if (original == null) {
            // Nothing was noted to prove by who runs: resume() would leave the gate closed.
            return Optional.of("it doesn't stand still");
        }
        if (System.nanoTime() - leaveNanos > STALE_NANOS && mayFreeze() != FreezeLeave.GRANTED) {
            return NOT_WANTED;
        }
        long changes = TaskHooks.ORIGINALS.changes();
        // So none has begun already, and is under way.
        Optional<String> obstacle = task.restless(gateLimitMillis);
        if (obstacle.isEmpty()) {
            obstacle = task.hold(gateLimitMillis);
        }
        if (obstacle.isPresent()) {
            return obstacle;
        }
        TaskProcesses.note(task.task());
        closedNanos = System.nanoTime();
        if (!TaskHooks.GATE.close(gateLimitMillis)) {
            return Optional.of("calls under way didn't end in " + gateLimitMillis + " ms");
        }
        // Who was only just woken the first time is seen now; and calls stand at the gate by now.
        obstacle = task.restless(gateLimitMillis);
        if (obstacle.isPresent()) {
            return obstacle;
        }
        if (TaskHooks.ORIGINALS.changes() != changes) {
            return CHANGED;
        }
        return task.output().isOverdue() ? OVERDUE : Optional.empty();
    }

    /**
     * The clone's container is there, and waits: an attempt that seemed a straggler and isn't one
     * may become one yet. It has its clone then at once.
     *
     * @return why it gets none
     */
    private Optional<String> awaitLeave() throws IOException, InterruptedException {
        FreezeLeave leave = mayFreeze();
        if (leave == FreezeLeave.LATER) {
            LOG.info("Clone {} waits until it is worth while", order.cloneId());
        }
        while (leave == FreezeLeave.LATER && !patience.isOver()) {
            Thread.sleep(patience.atMost(LATER_MILLIS));
            leave = mayFreeze();
        }
        return switch (leave) {
            case GRANTED -> Optional.empty();
            case LATER -> NO_STRAGGLER;
            case REFUSED -> NOT_WANTED;
        };
    }

    private long limitMillis() {
        return order.limits().limitMillis();
    }

    /** The task ends before it stands still: else the tool would wait for the rest of its time. */
    private void letGo() {
        try {
            Offer.letGo(directory);
        } catch (IOException e) {
            LOG.warn("The tool beside this task ends late", e);
        }
    }

    private FreezeLeave mayFreeze() throws IOException {
        return loop.appMaster().mayFreeze(task.attempt(), order.cloneId(), linkBytesPerMilli);
    }

    /**
     * The original runs on; only a process that proves to be it does so. Nothing if it does. What
     * fails on the way doesn't keep it from that.
     */
    private void resume() throws InterruptedException {
        if (original == null) {
            return;
        }
        if (!original.isStillThisProcess()) {
            halt("told to go on as the original, and isn't it");
        }
        original = null;
        try {
            if (TaskHooks.GATE.isClosed()) {
                TaskHooks.GATE.open();
                gateMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - closedNanos);
            }
            TaskHooks.LOCAL_READS.resume();
            // Its resources may use its streams.
            task.output().release();
            // With its resources open, or as good as they can be.
            TaskHooks.RESOURCES
                    .open(OPEN_MILLIS)
                    .ifPresent(trouble -> LOG.error("After a clone: {}", trouble));
        } finally {
            task.release();
        }
    }

    /** From here on there is no way back: what goes wrong ends this process, and only this one. */
    private void become(String containerId) {
        try {
            if (original == null || original.isStillThisProcess()) {
                halt("told that this is a clone, and it doesn't look so");
            }
            TaskHooks.MISSING.guard(task::clonedDirectories);
            CloneIds ids = CloneIds.of(task.attempt(), order.cloneId());
            IdentitySwitch.dropConnections(ids);
            ids.reseedUuids(CloneAgent.instrumentation());
            loop.connect();
            CloneIdentity identity =
                    loop.appMaster().becomeClone(task.attempt(), order.cloneId(), containerId);
            IdentitySwitch.to(identity, ids, task);
            loop.movedTo(identity.host());
            loop.appMaster().cloneRunning(task.attempt(), order.cloneId());
            LOG.info("This is a clone, and from now on {}", identity);
            original = null;
            if (Threads.now().stream().anyMatch(t -> t.isUsers() && t.isCalling())) {
                halt("user code has begun a call as its original");
            }
            TaskHooks.ORIGINALS.guard();
            TaskHooks.GATE.open();
            IdentitySwitch.dropReaders();
            LocalReads.forgetHost();
            TaskHooks.LOCAL_READS.resume();
            task.repair();
            TaskHooks.RESOURCES.open(OPEN_MILLIS).ifPresent(CloneMaking::halt);
            task.release();
        } catch (Throwable e) {
            String reason = e.getClass().getName();
            try {
                reason = e.toString();
                LOG.error("A clone that isn't certain who it is ends", e);
            } finally {
                halt(reason);
            }
        }
    }

    /**
     * Not exit: its hooks would clean up what is the original's. Whatever user code has made of
     * {@code System.err}, and if there is no memory to say anything.
     */
    static void halt(String reason) {
        try {
            System.err.println("This clone ends: " + reason);
        } finally {
            Runtime.getRuntime().halt(HALTED);
        }
    }

    private CloneAnswer sent() throws IOException {
        JsonNode report = new ObjectMapper().readTree(directory.resolve("report.json").toFile());
        LOG.info("Clone {} has left, as the tool reports: {}", order.cloneId(), report);
        return CloneAnswer.sent(
                order.cloneId(), report.path("freeze_ms").asLong(), gateMillis, travel(report));
    }

    private static CloneTravel travel(JsonNode report) {
        return new CloneTravel(
                report.path("early_file_bytes").asLong() + report.path("late_file_bytes").asLong(),
                report.path("image_bytes").asLong(),
                Math.round(
                        report.path("precopy_ms").asDouble()
                                + report.path("transfer_ms").asDouble()));
    }

    private CloneAnswer failed(ToolEnd end) {
        LOG.info("Clone {} came to nothing: {}", order.cloneId(), end);
        return veto.isPresent()
                ? CloneAnswer.refused(order.cloneId(), veto.get())
                : end.answer(order.cloneId());
    }
}
