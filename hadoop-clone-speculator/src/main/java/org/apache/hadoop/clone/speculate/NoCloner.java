package org.apache.hadoop.clone.speculate;

import java.util.Optional;
import org.apache.hadoop.clone.score.CloneCosts;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;

/** For an AppMaster that can't clone, stock Hadoop's for example. */
final class NoCloner implements Cloner {
    private final CloneCosts costs;

    NoCloner(CloneCosts costs) {
        this.costs = costs;
    }

    @Override
    public Optional<String> obstacle(TaskAttemptId attempt) {
        return Optional.of("this AppMaster can't clone");
    }

    @Override
    public Optional<Long> fileBytes(TaskAttemptId attempt) {
        return Optional.empty();
    }

    @Override
    public CloneCosts costs() {
        return costs;
    }

    @Override
    public Optional<TaskAttemptId> originalOf(TaskAttemptId attempt) {
        return Optional.empty();
    }

    @Override
    public void clone(TaskAttemptId original, CloneScore score) {
        throw new IllegalStateException("asked to clone " + original + " without being able to");
    }
}
