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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class HoldTest {
    /** Each is a call in the stack of the thread that holds them. */
    @Test
    void holdsTheMonitorsOfThousandsOfStreams() throws InterruptedException {
        List<Object> monitors = Stream.generate(Object::new).limit(20_000).toList();
        Hold hold = Hold.on(monitors);
        assertThat(hold.isComplete(TimeUnit.MINUTES.toNanos(1))).isTrue();
        hold.release();
    }
}
