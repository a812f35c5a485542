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

import java.util.Optional;

/**
 * A host whose outputs leave it over a slow link: all reduces fetch what it has last, and wait for
 * each other there.
 *
 * @param share of what each reduce fetches, from 0 to 1
 * @param megabytesPerSecond that the link carries, for all reduces together
 */
public record SlowSource(double share, double megabytesPerSecond) implements Trouble {
    @Override
    public Optional<SlowSource> source() {
        return Optional.of(this);
    }
}
