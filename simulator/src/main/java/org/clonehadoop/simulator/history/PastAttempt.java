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
package org.clonehadoop.simulator.history;

import java.util.List;

/**
 * An attempt of a job that is over.
 *
 * @param task its number among the maps or the reduces
 * @param number from 0; those after the first began again
 * @param won whether the task is done by it
 * @param workMillis how long it worked; of a reduce without its wait for the last map
 * @param megabytes of input, as far as it is known: a map's from HDFS, a reduce's from maps
 * @param splits milliseconds for each part of its progress, of equal size; of those that it didn't
 *     get through there are none
 */
record PastAttempt(
        String id,
        boolean map,
        int task,
        int number,
        String host,
        boolean won,
        long startMillis,
        long finishMillis,
        long workMillis,
        double megabytes,
        List<Integer> splits) {

    boolean isFirst() {
        return number == 0;
    }
}
