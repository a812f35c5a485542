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

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.PenalizingScheduler;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives stock's fetchers spills to fetch. Hosts, penalties and their threads are stock's; what is
 * known of maps is in a {@link SpillTable}.
 */
final class SpillScheduler<K, V> extends PenalizingScheduler<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(SpillScheduler.class);

    /** Stock's limit for one request. */
    private static final int MOST_AT_ONCE = 20;

    private final ShuffleConsumerPlugin.Context<K, V> context;
    private final ExceptionReporter reporter;
    private final int maps;
    private final SpillTable table;
    private final SpillIds ids;
    private final FetchFailures failures;
    private final Map<String, Set<Integer>> failedMaps = new HashMap<>();
    private final long start = Time.monotonicNow();
    private long lastSuccess = start;
    private long longestMapMillis;

    SpillScheduler(ShuffleConsumerPlugin.Context<K, V> context, ExceptionReporter reporter) {
        super(context, reporter);
        this.context = context;
        this.reporter = reporter;
        maps = context.getJobConf().getNumMapTasks();
        table = new SpillTable(maps);
        ids = new SpillIds(context.getReduceId(), maps);
        failures = new FetchFailures(context.getJobConf());
    }

    /**
     * The AppMaster has said so.
     *
     * @return false if it makes void what has been fetched already: the reduce must start again
     */
    synchronized boolean apply(SpillUpdate update) {
        int before = complete();
        if (!table.apply(update)) {
            return false;
        }
        switch (update.kind()) {
            case AT -> {
                URI host = URI.create(update.host());
                if (table.wants(
                        update.map(), update.spill(), update.attempt(), host.getAuthority())) {
                    addKnownMapOutput(
                            host.getAuthority(),
                            baseUrl(update.host()),
                            ids.of(update.map(), update.spill(), update.attempt()));
                }
            }
            case DONE -> longestMapMillis = Math.max(longestMapMillis, update.runMillis());
            default -> LOG.info("{}", update);
        }
        tellCompletion(complete() - before);
        return true;
    }

    private int complete() {
        return maps - table.incomplete();
    }

    private String baseUrl(String host) {
        return host
                + "/mapOutput?job="
                + context.getReduceId().getJobID()
                + "&reduce="
                + context.getReduceId().getTaskID().getId()
                + "&map=";
    }

    private void tellCompletion(int newlyComplete) {
        if (newlyComplete == 0) {
            return;
        }
        context.getShuffledMapsCounter().increment(newlyComplete);
        int complete = complete();
        String text = complete + " / " + maps + " copied.";
        context.getStatus().setStateString(text);
        context.getCopyPhase().set((float) complete / maps);
        context.getCopyPhase().setStatus(text);
        if (table.incomplete() == 0) {
            notifyAll();
        }
    }

    private boolean wants(TaskAttemptID spill, MapHost host) {
        return table.wants(ids.map(spill), ids.spill(spill), spill.getId(), host.getHostName());
    }

    @Override
    public synchronized List<TaskAttemptID> getMapsForHost(MapHost host) {
        Set<TaskAttemptID> wanted = new LinkedHashSet<>();
        for (TaskAttemptID spill : host.getAndClearKnownMaps()) {
            if (wanted.size() == MOST_AT_ONCE || !mayShare(spill, wanted, host)) {
                host.addKnownMap(spill); // looked at when its turn comes: there may be very many
            } else if (wants(spill, host)) {
                wanted.add(spill);
            }
        }
        return new ArrayList<>(wanted);
    }

    /**
     * ShuffleHandler refuses a whole request for one missing file. Those of maps that still run are
     * only waited for, so at a host that has failed they go with no other map's: that would be
     * taken for missing again and again, and made to run once more.
     */
    private boolean mayShare(TaskAttemptID spill, Set<TaskAttemptID> request, MapHost host) {
        if (request.isEmpty() || !failedMaps.containsKey(host.getHostName())) {
            return true;
        }
        int map = ids.map(spill);
        int first = ids.map(request.iterator().next());
        return map == first
                || (table.succeeded(map).isPresent() && table.succeeded(first).isPresent());
    }

    @Override
    public synchronized void copySucceeded(
            TaskAttemptID spill,
            MapHost host,
            long bytes,
            long startMillis,
            long endMillis,
            MapOutput<K, V> output)
            throws IOException {
        failures.succeeded(ids.map(spill), host.getHostName());
        if (!wants(spill, host)) {
            LOG.info("{} from {} isn't needed any more", spill, host);
            output.abort();
            return;
        }
        output.commit();
        int before = complete();
        table.fetched(ids.map(spill), ids.spill(spill));
        context.getReduceShuffleBytes().increment(bytes);
        lastSuccess = Time.monotonicNow();
        tellCompletion(complete() - before);
    }

    @Override
    public synchronized void hostFailed(String host) {
        failures.hostFailed(host);
    }

    /**
     * Failures of a map that still runs are nobody's fault yet: before it has succeeded there is
     * nothing to be reported, and by then another attempt may have published the spill. After that
     * they are the successful attempt's, wherever the spill is from.
     */
    @Override
    public synchronized void copyFailed(
            TaskAttemptID spill, MapHost host, boolean readError, boolean noConnection) {
        int map = ids.map(spill);
        if (!isFirstOfRequest(map, host)) {
            return;
        }
        context.getFailedShuffleCounter().increment(1);
        OptionalInt succeeded = table.succeeded(map);
        if (succeeded.isEmpty() || !wants(spill, host)) {
            avoid(host, failures.penaltyMillis(1));
            return;
        }
        String address = host.getHostName();
        int count = failures.mapFailed(map, address);
        avoid(host, failures.penaltyMillis(count));
        if (failures.isToBeReported(count, address, readError, noConnection)) {
            LOG.info("Reporting to the AppMaster that {} can't be fetched", spill);
            context.getStatus().addFetchFailedMap(ids.attempt(map, succeeded.getAsInt()));
        }
        giveUpIfSo(map, count);
    }

    /** Stock's fetchers tell of each spill of a request; for a map that is one failure. */
    private boolean isFirstOfRequest(int map, MapHost host) {
        Set<Integer> counted =
                failedMaps.computeIfAbsent(host.getHostName(), address -> new HashSet<>());
        if (host.getState() != MapHost.State.PENALIZED) {
            counted.clear(); // it was left alone after the last one
        }
        return counted.add(map);
    }

    private void giveUpIfSo(int map, int count) {
        if (failures.isHopeless(count)) {
            reporter.reportException(
                    new IOException(count + " failures downloading spills of map " + map));
        }
        if (failures.isReduceIll(
                complete(),
                Time.monotonicNow() - lastSuccess,
                lastSuccess - start,
                longestMapMillis)) {
            reporter.reportException(
                    new IOException(
                            "Too many fetches have failed here, too few have succeeded: see to the"
                                    + " network of this host"));
        }
    }

    @Override
    public synchronized boolean waitUntilDone(int millis) throws InterruptedException {
        if (table.incomplete() > 0) {
            wait(millis);
        }
        return table.incomplete() == 0;
    }

    @Override
    public void resolve(TaskCompletionEvent event) {
        throw new UnsupportedOperationException("completion events say nothing of spills");
    }
}
