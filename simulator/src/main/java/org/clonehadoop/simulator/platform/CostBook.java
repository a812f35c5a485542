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
package org.clonehadoop.simulator.platform;

/**
 * What clones cost where they run.
 *
 * @param vmMillis from the launch of the clone's container until it runs, without its files
 * @param megabytesPerSecond at which its files travel
 * @param freezeMillis of that, how long the original stands still at the least
 * @param freezeWithFiles whether it stands still while its files travel as well
 * @param answerMillis until a task's agent answers
 */
public record CostBook(
        String name,
        double vmMillis,
        double megabytesPerSecond,
        double freezeMillis,
        boolean freezeWithFiles,
        double answerMillis) {

    /** Its section V: 15 s, 40 MB/s; and the process is stalled for all of it (section III). */
    public static CostBook paper() {
        return new CostBook("paper", 15_000, 40, 15_000, true, 100);
    }

    /**
     * docs/measured.md and docs/speculation.md: running 1.0 to 2.4 s after the launch, frozen for
     * 81 ms, answers after 27 to 93 ms. Files at what Gigabit Ethernet carries.
     */
    public static CostBook measured() {
        return new CostBook("measured", 1_700, 90, 81, false, 60);
    }

    /**
     * @throws IllegalArgumentException if there is none of that name
     */
    public static CostBook named(String name) {
        return switch (name) {
            case "paper" -> paper();
            case "measured" -> measured();
            default ->
                    throw new IllegalArgumentException(
                            "no cost book '" + name + "'; there are: measured, paper");
        };
    }

    public double fileMillis(double megabytes) {
        return 1000 * megabytes / megabytesPerSecond;
    }
}
