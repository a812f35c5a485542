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
package org.apache.hadoop.clone.stage;

/**
 * How many copies a server gets at once. Fewer leave it idle; of more the stage loses hold: it can
 * neither order nor cheaply purge them any more (the paper's section 3.4).
 */
public interface Limit {

    /** How many, from 1. */
    int level();

    /**
     * The server has done something.
     *
     * @param amount in units of the server's
     * @param nanos when, on the stage's clock
     * @param saturated whether as many copies as {@link #level} were in service
     */
    void served(long amount, long nanos, boolean saturated);

    /**
     * Fewer copies than {@link #level} are in service, or those that are may not go on. Nobody else
     * says so while nothing is served: with one copy in service the server of level 1 is always
     * saturated.
     */
    void idle();

    /**
     * Always the same.
     *
     * @param level from 1
     */
    static Limit fixed(int level) {
        if (level < 1) {
            throw new IllegalArgumentException("a server can't serve " + level + " at once");
        }
        return new Limit() {
            @Override
            public int level() {
                return level;
            }

            @Override
            public void served(long amount, long nanos, boolean saturated) {
                // It was given.
            }

            @Override
            public void idle() {
                // It was given.
            }
        };
    }
}
