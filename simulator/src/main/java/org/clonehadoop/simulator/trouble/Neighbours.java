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
 * Others on the same hosts, that come and go: on each, by itself, for exponentially distributed
 * times.
 *
 * @param factor what they leave of the resource while they are there
 * @param awayMillis in the mean
 * @param hereMillis in the mean
 */
public record Neighbours(Resource resource, double factor, double awayMillis, double hereMillis)
        implements Trouble {
    @Override
    public void befall(Site site, Draws draws) {
        site.hosts().forEach(host -> away(site, host, draws, 0));
    }

    private void away(Site site, SimHost host, Draws draws, int visit) {
        site.timeline()
                .after(
                        time(awayMillis, draws, host.name() + " away " + visit),
                        () -> here(site, host, draws, visit));
    }

    private void here(Site site, SimHost host, Draws draws, int visit) {
        host.slowDown(resource, factor);
        site.timeline()
                .after(
                        time(hereMillis, draws, host.name() + " here " + visit),
                        () -> {
                            host.slowDown(resource, 1);
                            away(site, host, draws, visit + 1);
                        });
    }

    private static long time(double mean, Draws draws, String name) {
        return Math.round(-mean * Math.log(1 - draws.uniform(name)));
    }
}
