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
package org.clonehadoop.benchmarks.feed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.clone.appmaster.CloneAppMaster;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.speculate.Speculator;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * {@link CloneAppMaster} that writes what its speculator is told and orders to {@value #FEED} in
 * its container's log directory. Named like that one, last in {@code
 * yarn.app.mapreduce.am.command-opts}; with {@code mapreduce.clone.mode} other than {@code on} it
 * records nothing.
 */
public final class RecordingAppMaster extends CloneAppMaster {
    static final String FEED = "feed.ndjson.gz";

    private RecordingSpeculator recorder;

    /** As its parent. */
    public RecordingAppMaster(
            ContainerId container, String host, int port, int httpPort, long submitMillis) {
        super(container, host, port, httpPort, submitMillis);
    }

    @Override
    protected Speculator createSpeculator(Configuration conf, AppContext context) {
        Speculator usual = super.createSpeculator(conf, context);
        return recorder == null ? usual : recorder;
    }

    @Override
    protected CloneSpeculator newSpeculator(Configuration conf, AppContext context, Cloner cloner) {
        Path logs = Path.of(System.getProperty(YarnConfiguration.YARN_APP_CONTAINER_LOG_DIR));
        try {
            recorder =
                    new RecordingSpeculator(
                            conf, context, cloner, Files.newOutputStream(logs.resolve(FEED)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return recorder.speculator();
    }

    /** As its parent's, with this class. */
    public static void main(String[] arguments) {
        run(RecordingAppMaster::new, arguments);
    }
}
