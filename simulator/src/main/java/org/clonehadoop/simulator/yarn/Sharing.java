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
package org.clonehadoop.simulator.yarn;

import java.util.Comparator;

/** Who gets the next container where several applications wait. Nobody's is taken away. */
public enum Sharing {
    /** Who has the fewest: YARN's fair scheduler, with equal weights and no preemption. */
    FAIR(Comparator.comparingInt(Application::held).thenComparingInt(Application::number)),
    /** Who came first: YARN's capacity scheduler with one queue. */
    FIFO(Comparator.comparingInt(Application::number));

    private final Comparator<Application> order;

    Sharing(Comparator<Application> order) {
        this.order = order;
    }

    Comparator<Application> order() {
        return order;
    }
}
