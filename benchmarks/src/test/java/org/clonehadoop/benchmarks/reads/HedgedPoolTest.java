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
package org.clonehadoop.benchmarks.reads;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HedgedPoolTest {
    /** Nobody is asked before something is read. */
    private static final URI NOBODY = URI.create("hdfs://127.0.0.1:1");

    @AfterEach
    void remove() throws Exception {
        HedgedPool.remove();
    }

    @Test
    void outlivesTheClientThatHedges() throws Exception {
        open(Scheme.STOCK_HEDGED);
        assertThat(HedgedPool.isThere()).isTrue();
    }

    @Test
    void isGoneWhenItIsRemovedAndComesAgain() throws Exception {
        open(Scheme.STOCK_HEDGED);
        HedgedPool.remove();
        assertThat(HedgedPool.isThere()).isFalse();
        open(Scheme.SINGLE);
        assertThat(HedgedPool.isThere()).isFalse();
        open(Scheme.STOCK_HEDGED);
        assertThat(HedgedPool.isThere()).isTrue();
    }

    private static void open(Scheme scheme) throws Exception {
        FileSystem.newInstance(NOBODY, scheme.client(new Configuration(), 100, 4)).close();
    }
}
