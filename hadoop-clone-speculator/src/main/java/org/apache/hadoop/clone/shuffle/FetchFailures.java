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
package org.apache.hadoop.clone.shuffle;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Counts failed fetches as stock's scheduler does, and says what follows from them there. Not
 * thread-safe.
 */
final class FetchFailures {
    private static final int LEAST_ABORT_LIMIT = 30;
    private static final int ABORT_PART_OF_MAPS = 10;
    private static final int MOST_UNIQUE = 5;
    private static final int DEFAULT_REPORT_EVERY = 10;
    private static final long FIRST_PENALTY_MILLIS = 10_000;
    private static final double PENALTY_GROWTH = 1.3;
    private static final double MOST_FAILED = 0.5;
    private static final double LEAST_DONE = 0.5;
    private static final double MOST_STALLED = 0.5;

    private final int maps;
    private final int reportEvery;
    private final boolean reportReadErrors;
    private final long longestPenalty;
    private final int mostOfHost;
    private final Map<MapAtHost, Integer> ofMap = new HashMap<>();
    private final Map<String, Integer> ofHost = new HashMap<>();
    private long total;
    private long copied;

    private record MapAtHost(int map, String host) {}

    FetchFailures(JobConf job) {
        maps = job.getNumMapTasks();
        reportEvery = job.getInt(MRJobConfig.SHUFFLE_FETCH_FAILURES, DEFAULT_REPORT_EVERY);
        reportReadErrors = job.getBoolean(MRJobConfig.SHUFFLE_NOTIFY_READERROR, true);
        longestPenalty =
                job.getLong(
                        MRJobConfig.MAX_SHUFFLE_FETCH_RETRY_DELAY,
                        MRJobConfig.DEFAULT_MAX_SHUFFLE_FETCH_RETRY_DELAY);
        mostOfHost =
                job.getInt(
                        MRJobConfig.MAX_SHUFFLE_FETCH_HOST_FAILURES,
                        MRJobConfig.DEFAULT_MAX_SHUFFLE_FETCH_HOST_FAILURES);
    }

    /** A spill of the map has come from there. */
    void succeeded(int map, String host) {
        copied++;
        ofMap.remove(new MapAtHost(map, host));
        ofHost.remove(host);
    }

    void hostFailed(String host) {
        ofHost.merge(host, 1, Integer::sum);
    }

    /**
     * A request has failed, for one of the map's spills or for many.
     *
     * @return how often that has happened since one has come from there
     */
    int mapFailed(int map, String host) {
        total++;
        return ofMap.merge(new MapAtHost(map, host), 1, Integer::sum);
    }

    /** Whether the AppMaster is to be told of a map's failure. */
    boolean isToBeReported(int failures, String host, boolean readError, boolean noConnection) {
        return noConnection
                || (reportReadErrors && readError)
                || failures % reportEvery == 0
                || ofHost.getOrDefault(host, 1) > mostOfHost;
    }

    /** Whether a reduce with so many failures of one map gives up. */
    boolean isHopeless(int failures) {
        return failures >= Math.max(LEAST_ABORT_LIMIT, maps / ABORT_PART_OF_MAPS);
    }

    /** How long a host is left alone after so many failures of one map. */
    long penaltyMillis(int failures) {
        double penalty = FIRST_PENALTY_MILLIS * Math.pow(PENALTY_GROWTH, failures);
        return Math.min((long) penalty, longestPenalty);
    }

    /**
     * Whether it is the reduce that is ill rather than the maps' hosts. A copied spill speaks for
     * it as a copied map does with stock: while maps run, few of them are complete.
     *
     * @param done maps that are complete
     * @param stalledMillis since the last fetch that hasn't failed
     * @param workedMillis from the beginning until then
     * @param longestMapMillis of the maps that have succeeded
     */
    boolean isReduceIll(int done, long stalledMillis, long workedMillis, long longestMapMillis) {
        int unique = ofMap.size();
        boolean many = unique >= Math.min(maps, MOST_UNIQUE) || unique == maps - done;
        boolean healthy = (double) total / (total + Math.max(copied, done)) < MOST_FAILED;
        boolean advanced = (double) done / maps >= LEAST_DONE;
        boolean stalled = stalledMillis >= MOST_STALLED * Math.max(workedMillis, longestMapMillis);
        return many && !healthy && (!advanced || stalled);
    }
}
