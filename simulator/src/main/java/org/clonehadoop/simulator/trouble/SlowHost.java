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

/**
 * Hosts that have less of a resource than the others, for some time or for good.
 *
 * @param count the first so many hosts but one, on which the AppMaster is
 * @param factor what is left, from 0 to 1
 * @param fromMillis after the job's beginning
 * @param untilMillis after the job's beginning
 */
public record SlowHost(
        int count, Resource resource, double factor, long fromMillis, long untilMillis)
        implements Trouble {

    /** For the whole job. */
    public static SlowHost always(int count, Resource resource, double factor) {
        return new SlowHost(count, resource, factor, 0, Long.MAX_VALUE / 4);
    }

    @Override
    public void befall(Site site, Draws draws) {
        site.hosts()
                .subList(1, 1 + count)
                .forEach(
                        host -> {
                            site.timeline()
                                    .after(fromMillis, () -> host.slowDown(resource, factor));
                            site.timeline().after(untilMillis, () -> host.slowDown(resource, 1));
                        });
    }
}
