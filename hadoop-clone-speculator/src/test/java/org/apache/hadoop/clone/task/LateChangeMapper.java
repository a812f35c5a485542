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
package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** It changes a file in HDFS, as far as anybody notices, while calls end before a freeze. */
public final class LateChangeMapper extends Mapper<LongWritable, Text, LongWritable, Text> {
    /** Made in the working directory when it has done so. */
    static final String CHANGED = "changed";

    private static final long POLL_MILLIS = 5;

    @Override
    protected void setup(Context context) {
        Thread thread = new Thread(LateChangeMapper::changeLate);
        thread.setDaemon(true);
        thread.start();
    }

    private static void changeLate() {
        try {
            while (!isGateClosing()) {
                Thread.sleep(POLL_MILLIS);
            }
            TaskHooks.pathChanges("/elsewhere");
            Files.createFile(Path.of(CHANGED));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isGateClosing() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(
                        frame ->
                                frame.getClassName().equals(Gate.class.getName())
                                        && frame.getMethodName().equals("close"));
    }
}
