package org.apache.hadoop.clone.score;

/**
 * How many tasks of a kind may have a second attempt at once: stock Hadoop's three limits, of which
 * the largest counts.
 *
 * @param minimum however few tasks there are ({@code minimum-allowed-tasks})
 * @param ofTotal a share of the job's tasks of the kind ({@code speculative-cap-total-tasks})
 * @param ofRunning a share of those that run ({@code speculative-cap-running-tasks})
 */
public record SpeculationCap(int minimum, double ofTotal, double ofRunning) {

    /**
     * @param total the job's tasks of the kind
     * @param running those with an attempt that runs
     */
    public int allowed(int total, int running) {
        return (int) Math.max(minimum, Math.max(ofTotal * total, ofRunning * running));
    }
}
