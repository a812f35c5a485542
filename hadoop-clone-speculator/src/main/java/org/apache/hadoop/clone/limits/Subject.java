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
package org.apache.hadoop.clone.limits;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The job that rules are asked about.
 *
 * @param job its id
 * @param queue as the ResourceManager calls it: with its parents, or without
 */
@InterfaceAudience.Private
public record Subject(String job, String queue, String user) {
    /**
     * Whether an operator's name of a queue means this job's: its own name, its path, that of a
     * queue above it, or a part of it. Where the ResourceManager has said no more than the last
     * name, every path that ends with it is meant.
     */
    boolean isInQueue(String name) {
        List<String> own = parts(queue);
        List<String> named = parts(name);
        int end = named.size() - own.size();
        return Collections.indexOfSubList(own, named) >= 0
                || end > 0 && named.subList(end, named.size()).equals(own);
    }

    private static List<String> parts(String queue) {
        return Arrays.asList(queue.split("\\."));
    }
}
