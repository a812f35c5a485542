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
package org.clonehadoop.simulator.trouble;

import org.clonehadoop.simulator.engine.Draws;
import org.clonehadoop.simulator.platform.Resource;
import org.clonehadoop.simulator.platform.SimHost;

/**
 * A host that has a little less of a resource with each step, until a twentieth is left.
 *
 * @param overMillis until then
 */
public record FadingHost(Resource resource, long overMillis) implements Trouble {
    private static final int STEPS = 19;

    @Override
    public void befall(Site site, Draws draws) {
        SimHost host = site.hosts().get(1);
        for (int step = 1; step <= STEPS; step++) {
            double left = 1 - step / (STEPS + 1.0);
            site.timeline().after(overMillis * step / STEPS, () -> host.slowDown(resource, left));
        }
    }
}
