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

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.clone.shuffle.SpillPoller;
import org.apache.hadoop.clone.shuffle.SpillShuffle;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;

/**
 * The reduce that this process runs, as far as a clone of it is concerned. While it shuffles and
 * sorts it has no output yet; afterwards it writes to HDFS all the time.
 */
final class RunningReduce extends RunningTask {
    private static final String STOCK_SHUFFLE = Shuffle.class.getName();

    /** Ours delegates to one or the other. */
    private static final Set<String> SHUFFLES = Set.of(STOCK_SHUFFLE, SpillShuffle.class.getName());

    /** Frames of the reduce's thread from the first fetch to the last merge before its records. */
    private static final Set<String> SHUFFLING =
            Set.of(STOCK_SHUFFLE + ".run", "org.apache.hadoop.clone.shuffle.PerSpillShuffle.run");

    private static final Set<String> REDUCING =
            Set.of(
                    "org.apache.hadoop.mapred.ReduceTask.runNewReducer",
                    "org.apache.hadoop.mapred.ReduceTask.runOldReducer");

    private static final Set<String> OPENING =
            Set.of(
                    "org.apache.hadoop.mapred.ReduceTask$NewTrackingRecordWriter.<init>",
                    "org.apache.hadoop.mapred.ReduceTask$OldTrackingRecordWriter.<init>");

    private static final Set<String> CLOSING =
            Set.of(
                    "org.apache.hadoop.mapred.ReduceTask$NewTrackingRecordWriter.close",
                    "org.apache.hadoop.mapred.ReduceTask$OldTrackingRecordWriter.close");

    private static final Optional<String> TOO_EARLY =
            Optional.of("it has written files to the job's output before its records");

    private static final Optional<String> NO_PHASE =
            Optional.of("it isn't shuffling, sorting or reducing now");

    private static final Optional<String> LONG_FETCH =
            Optional.of("a fetch has been under way for longer than " + CloneKeys.GATE_LIMIT);

    /** Where the reduce's thread waits between the two while a clone is prepared. */
    private static final String BETWEEN = TaskHooks.class.getName() + ".shuffleEnds";

    private final ReduceFiles files;
    private final TaskOutput output;
    private final RecordParking parking;
    private boolean fetchesHeld;

    RunningReduce(Object task, JobConf job, Thread thread, ReduceFiles files) {
        super(task, job, thread);
        this.files = files;
        output = new TaskOutput(task(), job);
        parking = new RecordParking(new RecordHooks(HookWriter.REDUCE_RECORDS));
    }

    @Override
    Optional<String> obstacle() throws IOException {
        String shuffle = job().get(MRConfig.SHUFFLE_CONSUMER_PLUGIN, STOCK_SHUFFLE);
        if (!SHUFFLES.contains(shuffle)) {
            return Optional.of("its shuffle is " + shuffle);
        }
        List<String> frames = frames();
        if (isReducing(frames) && !isOpening(frames)) {
            return output.obstacle().or(this::lastingCompany);
        }
        if (!isShuffling(frames)) {
            return NO_PHASE;
        }
        if (output.isAny()) {
            return TOO_EARLY;
        }
        return output.committerObstacle().or(this::longFetch).or(this::lastingCompany);
    }

    /**
     * What has lasted for longer than its end may be waited for will more likely not end in that
     * time. If a clone were given up for it, its container would begin at zero, and fetch the same
     * over the same link.
     */
    private Optional<String> longFetch() {
        long limitMillis = millis(CloneKeys.GATE_LIMIT, CloneKeys.GATE_LIMIT_DEFAULT);
        return TaskHooks.FETCHES.longestMillis() > limitMillis ? LONG_FETCH : Optional.empty();
    }

    private static boolean isReducing(List<String> frames) {
        return frames.stream().anyMatch(REDUCING::contains)
                && frames.stream().noneMatch(CLOSING::contains)
                && !frames.contains(BETWEEN);
    }

    private static boolean isOpening(List<String> frames) {
        return frames.stream().anyMatch(OPENING::contains);
    }

    private static boolean isShuffling(List<String> frames) {
        return frames.stream().anyMatch(SHUFFLING::contains) || frames.contains(BETWEEN);
    }

    /** One that still shuffles is held at its fetches, and has no use for hooks at records. */
    @Override
    void prepare() {
        if (isReducing(frames())) {
            parking.prepare();
        }
    }

    /**
     * Without a fetch under way. Merges may be: they have nothing but memory and files of their
     * own. So may be the reduce's own thread, which can't leave its shuffle meanwhile; if it has
     * left it already it is held before a record.
     */
    @Override
    Optional<String> park(long limitMillis, Patience patience)
            throws IOException, InterruptedException {
        long fetchMillis = patience.atMost(limitMillis);
        if (!TaskHooks.FETCHES.close(fetchMillis)) {
            return Optional.of("fetches under way didn't end in " + fetchMillis + " ms");
        }
        fetchesHeld = true;
        // An RPC that would keep the gate open until there are news of spills.
        SpillPoller.endQuestion();
        List<String> frames = frames();
        if (isShuffling(frames)) {
            return Optional.empty();
        }
        if (!isReducing(frames)) {
            return NO_PHASE;
        }
        // On a slow host it takes long to open a file; its first record comes soon after.
        long recordMillis = isOpening(frames) ? patience.leftMillis() : limitMillis;
        return parking.park(() -> true, recordMillis, patience);
    }

    @Override
    Optional<String> hold(long limitMillis) throws IOException, InterruptedException {
        if (isReducing(frames())) {
            return output.hold(limitMillis);
        }
        return output.isAny() ? TOO_EARLY : Optional.empty();
    }

    @Override
    TaskOutput output() {
        return output;
    }

    @Override
    void release() {
        try {
            output.release();
        } finally {
            try {
                parking.release();
            } finally {
                openFetches();
            }
        }
    }

    private void openFetches() {
        if (fetchesHeld) {
            fetchesHeld = false;
            TaskHooks.FETCHES.open();
        }
    }

    /** In its shuffle, which it can't leave, and where it has nothing but memory and files. */
    @Override
    boolean runsWhileParked() {
        return isShuffling(frames());
    }

    /** Its files aren't named after the attempt. */
    @Override
    boolean isWriting() {
        return false;
    }

    @Override
    long outputBytes() throws IOException {
        return isReducing(frames()) ? output.bytesToCopy() : 0;
    }

    @Override
    void repair() throws IOException {
        output.repair();
    }

    @Override
    Path output(String localDir) {
        return Path.of(localDir, files.directory());
    }

    @Override
    Stream<Path> passingOutput(String localDir) {
        return Stream.empty();
    }

    /** Nothing to do: its directory isn't named after the attempt. */
    @Override
    void moveOutput(TaskAttemptID to) {}
}
