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
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.mapred.MapTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the AppMaster. A map whose AppMaster can't be told fails: its output would never be
 * fetched.
 */
final class SpillPublisher implements SpillSink {
    private static final Logger LOG = LoggerFactory.getLogger(SpillPublisher.class);
    private static final int TRIES = 10;
    private static final long PAUSE_MILLIS = TimeUnit.SECONDS.toMillis(1);

    private final SpillProtocol appMaster;
    private final MapTask map;
    private final Runnable boundary;

    /**
     * @param map asked for its id at each call: a clone has another one than its original had
     * @param boundary run by the mapper's thread when a spill is full and all before it are
     *     published, and again and again while it waits for that
     */
    SpillPublisher(SpillProtocol appMaster, MapTask map, Runnable boundary) {
        this.appMaster = appMaster;
        this.map = map;
        this.boundary = boundary;
    }

    private interface Call {
        void run() throws IOException;
    }

    @Override
    public void full() {
        boundary.run();
    }

    @Override
    public void waits() {
        boundary.run();
    }

    @Override
    public void finished(SpillNotice notice) throws IOException {
        LOG.info("Publishing {}", notice);
        insist(() -> appMaster.spillFinished(map.getTaskID(), notice));
    }

    @Override
    public void ended(int spills, long chain) throws IOException {
        LOG.info("All {} spills are published", spills);
        insist(() -> appMaster.spillsEnded(map.getTaskID(), spills, chain));
    }

    /** Telling the same twice does no harm. */
    private void insist(Call call) throws IOException {
        for (int left = TRIES - 1; ; left--) {
            try {
                call.run();
                return;
            } catch (IOException e) {
                if (left == 0) {
                    throw new IOException(
                            "The AppMaster doesn't take a spill of " + map.getTaskID(), e);
                }
                LOG.info("The AppMaster doesn't take a spill now: {}", e.getMessage());
                pause();
            }
        }
    }

    private static void pause() throws InterruptedIOException {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while publishing a spill");
        }
    }
}
