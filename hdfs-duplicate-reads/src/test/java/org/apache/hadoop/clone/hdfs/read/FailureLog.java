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
package org.apache.hadoop.clone.hdfs.read;

import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Why duplicates have failed since it was made, which nobody else is told. */
final class FailureLog implements AutoCloseable {
    private static final Logger OF_DUPLICATES = LoggerFactory.getLogger(DuplicateRead.class);

    private final LogCapturer log = LogCapturer.captureLogs(OF_DUPLICATES);

    FailureLog() {
        GenericTestUtils.setLogLevel(OF_DUPLICATES, Level.DEBUG);
    }

    String text() {
        return log.getOutput();
    }

    @Override
    public void close() {
        GenericTestUtils.setLogLevel(OF_DUPLICATES, Level.INFO);
        log.stopCapturing();
    }
}
