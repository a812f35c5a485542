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

/**
 * A host that fails, with all attempts that run on it. What its maps have written is taken to have
 * been fetched.
 *
 * @param atMillis after the job's beginning
 */
public record LostHost(long atMillis) implements Trouble {
    @Override
    public void befall(Site site, Draws draws) {
        site.timeline().after(atMillis, () -> site.lose(site.hosts().get(1)));
    }
}
