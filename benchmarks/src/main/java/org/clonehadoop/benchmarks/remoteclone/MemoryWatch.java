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
package org.clonehadoop.benchmarks.remoteclone;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.clonehadoop.benchmarks.harness.Environment;
import org.clonehadoop.benchmarks.harness.ProcFile;

/**
 * The most memory that both ends of a clone hold: their processes' private and shared memory, and
 * what the machine's RAM disks grew by. It only reads counters: looking at page tables would slow
 * down what it watches.
 */
final class MemoryWatch implements AutoCloseable {
    private static final int INTERVAL_MS = 5;

    private final ProcessHandle serve;
    private final ProcessHandle pull;
    private final long clonePid;
    private final CompletableFuture<Void> watching;
    private volatile boolean over;
    private volatile long servePeak;
    private volatile long pullPeak;
    private volatile long ramDiskPeak;

    /** {@code clonePid}: the clone's own memory, under that pid in its namespace, is not pull's. */
    MemoryWatch(ProcessHandle serve, ProcessHandle pull, long clonePid) {
        this.serve = serve;
        this.pull = pull;
        this.clonePid = clonePid;
        watching = CompletableFuture.runAsync(this::watch);
    }

    private void watch() {
        try {
            long before = Environment.sharedKilobytes();
            while (!over) {
                servePeak = Math.max(servePeak, held(serve));
                pullPeak = Math.max(pullPeak, held(pull));
                ramDiskPeak = Math.max(ramDiskPeak, Environment.sharedKilobytes() - before);
                Thread.sleep(INTERVAL_MS);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long held(ProcessHandle tool) {
        return Stream.concat(Stream.of(tool), tool.descendants())
                .mapToLong(process -> heldBy(process.pid()))
                .sum();
    }

    private long heldBy(long pid) {
        try {
            return heldBy(ProcFile.read("/proc/" + pid + "/status"), clonePid);
        } catch (IOException e) {
            return 0; // it has ended
        }
    }

    /** Kilobytes, of a process's /proc/PID/status. */
    static long heldBy(ProcFile status, long clonePid) {
        String[] pids = status.text("NSpid").orElse("").split("\\s+");
        boolean isClone = pids.length > 1 && pids[pids.length - 1].equals("" + clonePid);
        return isClone ? 0 : status.kilobytes("RssAnon") + status.kilobytes("RssShmem");
    }

    double servePeakBytes() {
        return servePeak * 1024.0;
    }

    double pullPeakBytes() {
        return pullPeak * 1024.0;
    }

    /** Of both ends together, as they are on one machine. */
    double ramDiskPeakBytes() {
        return ramDiskPeak * 1024.0;
    }

    @Override
    public void close() {
        over = true;
        watching.join();
    }
}
