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
package org.clonehadoop.benchmarks.report;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Sessions of {@code benchmarks/whole-jobs/run} of which fewer jobs are kept than were asked for.
 *
 * @param known how many sessions tell what they were asked for
 * @param unfinished how many of these
 */
record UnfinishedSessions(int known, int unfinished) {
    private static final Pattern RUNS = Pattern.compile(" --runs (\\d+)");
    private static final Pattern VARIANTS = Pattern.compile(" --variants (\\S+)");
    private static final Pattern OPTION = Pattern.compile(" --\\S+ \\S+");

    private static final int USUAL_RUNS = 5;
    private static final int USUAL_VARIANTS = 2;

    /**
     * @param kept all jobs of which a line tells how they ended
     */
    static UnfinishedSessions of(Collection<JobLine> kept) {
        Map<String, Long> jobs =
                kept.stream()
                        .collect(
                                Collectors.groupingBy(
                                        UnfinishedSessions::session,
                                        TreeMap::new,
                                        Collectors.counting()));
        Map<String, Integer> asked = new TreeMap<>();
        for (JobLine job : kept) {
            if (job.environment().get("command") instanceof String command) {
                asked.put(session(job), asked(command));
            }
        }
        asked.values().removeIf(count -> count == 0);
        long fewer =
                asked.entrySet().stream()
                        .filter(one -> jobs.get(one.getKey()) < one.getValue())
                        .count();
        return new UnfinishedSessions(asked.size(), (int) fewer);
    }

    private static String session(JobLine job) {
        return Round.of(job.round()).session();
    }

    /** How many jobs; 0 if the command names no trouble, so that all are run. */
    private static int asked(String command) {
        String operands = OPTION.matcher(command).replaceAll("");
        int troubles = operands.split(" ").length - 1;
        Matcher runs = RUNS.matcher(command);
        Matcher variants = VARIANTS.matcher(command);
        return troubles
                * (runs.find() ? Integer.parseInt(runs.group(1)) : USUAL_RUNS)
                * (variants.find() ? variants.group(1).split(",").length : USUAL_VARIANTS);
    }

    /** A sentence. */
    @Override
    public String toString() {
        return String.format(
                "Of %d sessions whose command is known %d kept fewer jobs than it asks for: they were"
                        + " ended early, by hand or by a job that failed or never ended; or some of their"
                        + " jobs are among those that weren't kept.",
                known, unfinished);
    }
}
