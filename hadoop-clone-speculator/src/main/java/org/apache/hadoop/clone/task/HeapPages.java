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

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the process give back the pages that it doesn't need, so that there is less to copy in a
 * freeze. Collectors keep more than they need, for good reasons; so this one is told to keep less
 * for a moment only, and the heap grows again as at the beginning of a task. Then the C library
 * gives back what the JIT and its class files have left in its arenas, some 40 MB of a map.
 */
final class HeapPages {
    private static final Logger LOG = LoggerFactory.getLogger(HeapPages.class);

    private static final String LEAST = "MinHeapFreeRatio";
    private static final String MOST = "MaxHeapFreeRatio";

    /** Per cent of the heap that may be free for this moment. */
    private static final String TIGHT_LEAST = "0";

    private static final String TIGHT_MOST = "1";

    /** The serial collector shrinks in steps: by nothing, a tenth, four tenths, and the rest. */
    private static final int COLLECTIONS = 4;

    private HeapPages() {}

    /**
     * Collects garbage as often as it takes to give back all: some 10 to 20 ms a collection if
     * little is alive. Without effect, but for a line in the log, on a JVM that can't be told.
     */
    static void giveBack() {
        HotSpotDiagnosticMXBean machine =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            long before = memoryBytes();
            long begin = System.nanoTime();
            String least = machine.getVMOption(LEAST).getValue();
            String most = machine.getVMOption(MOST).getValue();
            try {
                machine.setVMOption(LEAST, TIGHT_LEAST);
                machine.setVMOption(MOST, TIGHT_MOST);
                collect();
            } finally {
                machine.setVMOption(MOST, most);
                machine.setVMOption(LEAST, least);
            }
            trimNativeHeap();
            LOG.info(
                    "{} MB in memory, {} MB {} ms ago",
                    memoryBytes() >> 20,
                    before >> 20,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        } catch (IOException | IllegalArgumentException e) {
            LOG.info("The heap stays as large as it is: {}", e.getMessage());
        }
    }

    /** What this process has in memory. */
    static long memoryBytes() throws IOException {
        String pages = Files.readString(Path.of("/proc/self/statm")).split(" ")[1];
        return Long.parseLong(pages) * 4096;
    }

    /** Not known to every JVM. */
    private static void trimNativeHeap() {
        try {
            DiagnosticCommand.trimNativeHeap();
        } catch (JMException e) {
            LOG.info("The native heap stays as large as it is: {}", e.getMessage());
        }
    }

    private static void collect() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
    }
}
