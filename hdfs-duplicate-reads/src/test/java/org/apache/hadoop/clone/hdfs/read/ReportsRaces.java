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

import java.util.StringJoiner;
import org.apache.hadoop.clone.hdfs.read.DuplicateReadStatistics.Counter;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Says after each class of Hadoop's own tests how much was raced in it. */
public final class ReportsRaces implements AfterAllCallback {
    @Override
    public void afterAll(ExtensionContext tests) {
        StringJoiner counts = new StringJoiner(", ", tests.getDisplayName() + ": ", "");
        for (Counter counter : Counter.values()) {
            counts.add(counter.key() + " " + DuplicateReadStatistics.ofJvm().get(counter));
        }
        System.out.println(counts);
    }
}
