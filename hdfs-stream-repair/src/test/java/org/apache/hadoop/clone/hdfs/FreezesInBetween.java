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
package org.apache.hadoop.clone.hdfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.clone.hdfs.datanode.BlockLinkPlugin;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * For Hadoop's own tests of HDFS, which know nothing of it: while a class of them runs, all output
 * streams of the process are stopped and let go again and again, as a task's are that is cloned.
 *
 * <p>A class fails that has shown nothing of ours: no stream that was stopped, or no DataNode with
 * the plugin. It fails as well if a stopped stream has gone on.
 */
public final class FreezesInBetween implements BeforeAllCallback, AfterAllCallback {
    /** Between two freezes. */
    private static final long PERIOD_MILLIS = 100;

    private static final long FROZEN_MILLIS = 20;

    /**
     * Short: nobody parks the threads that write, so streams that are being written to won't do.
     */
    private static final Duration LIMIT = Duration.ofMillis(200);

    /** Nothing of the test's: no RPC but the streams' own. */
    private static final org.apache.hadoop.fs.Path ANYWHERE =
            new org.apache.hadoop.fs.Path("file:///");

    private static final Pattern PLUGIN_STARTED = Pattern.compile("Blocks can be linked");

    private final Configuration conf = new Configuration(false);
    private final Thread thread = new Thread(this::run, "freezes-in-between");
    private final LogCapturer log =
            LogCapturer.captureLogs(LoggerFactory.getLogger(BlockLinkPlugin.class));
    private volatile boolean over;
    private int freezes;
    private int streams;
    private int givenUp;
    private int refused;
    private Throwable failure;

    @Override
    public void beforeAll(ExtensionContext context) {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!over) {
                Thread.sleep(PERIOD_MILLIS);
                if (OpenStreams.any()) {
                    freeze(OpenStreams.find(ANYWHERE, conf));
                }
            }
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            failure = e;
        }
    }

    private void freeze(OpenStreams open) throws InterruptedException {
        if (open.unrepairable().isPresent()) {
            refused++;
            return;
        }
        if (open.quiesce(LIMIT).isPresent()) {
            givenUp++;
            return;
        }
        try {
            List<String> before = sent(open);
            Thread.sleep(FROZEN_MILLIS);
            List<String> after = sent(open);
            if (!after.equals(before)) {
                throw new IllegalStateException(
                        "streams went on while they were held: " + before + " became " + after);
            }
            freezes += before.isEmpty() ? 0 : 1;
            streams += before.size();
        } finally {
            open.release();
        }
    }

    /** Without the paths: a test gives streams others meanwhile. */
    private static List<String> sent(OpenStreams open) {
        return open.states().stream()
                .map(s -> s.fileId() + " " + s.lastBlock() + " " + s.openBytes())
                .toList();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException, InterruptedException {
        over = true;
        thread.join();
        log.stopCapturing();
        long plugins = PLUGIN_STARTED.matcher(log.getOutput()).results().count();
        String seen =
                String.format(
                        "%s: %d streams stopped in %d freezes, %d given up, %d refused; %d"
                                + " DataNodes with the plugin%n",
                        context.getDisplayName(), streams, freezes, givenUp, refused, plugins);
        Files.writeString(
                Path.of("freezes"), seen, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (failure != null) {
            throw new AssertionError("the freezes ended early", failure);
        }
        if (freezes == 0 || plugins == 0) {
            throw new AssertionError("nothing of ours was used: " + seen);
        }
    }
}
