package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.clone.shuffle.SpillShuffle;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.task.reduce.Fetcher;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;

/**
 * The reduce that this process runs, as far as a clone of it is concerned: while it shuffles and
 * sorts it has no output yet.
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

    private final ReduceFiles files;
    private boolean parked;

    RunningReduce(Object task, JobConf job, Thread thread, ReduceFiles files) {
        super(task, job, thread);
        this.files = files;
    }

    @Override
    Optional<String> obstacle() throws IOException {
        String shuffle = job().get(MRConfig.SHUFFLE_CONSUMER_PLUGIN, STOCK_SHUFFLE);
        if (!SHUFFLES.contains(shuffle)) {
            return Optional.of("its shuffle is " + shuffle);
        }
        if (!HookWriter.isGated(Fetcher.class)) {
            return Optional.of("this Hadoop's fetchers can't be held");
        }
        List<String> frames = frames();
        if (frames.stream().anyMatch(REDUCING::contains)) {
            return Optional.of("it reduces, and its output is open");
        }
        if (frames.stream().noneMatch(SHUFFLING::contains)) {
            return Optional.of("it isn't shuffling or sorting now");
        }
        return commonObstacle();
    }

    /**
     * Without a fetch under way. Merges may be: they have nothing but memory and files of their
     * own. So may be the reduce's own thread, which can't leave its shuffle meanwhile.
     */
    @Override
    Optional<String> park(long limitMillis) throws InterruptedException {
        parked = TaskHooks.FETCHES.close(limitMillis);
        return parked
                ? Optional.empty()
                : Optional.of("fetches under way didn't end in " + limitMillis + " ms");
    }

    @Override
    void release() {
        if (parked) {
            parked = false;
            TaskHooks.FETCHES.open();
        }
    }

    @Override
    Path output(String localDir) {
        return Path.of(localDir, files.directory());
    }

    /** Nothing to do: its directory isn't named after the attempt. */
    @Override
    void moveOutput(TaskAttemptID to) {}
}
