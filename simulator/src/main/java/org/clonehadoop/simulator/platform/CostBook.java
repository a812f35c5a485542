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

import org.clonehadoop.simulator.platform.CostSheet.Cost;

/**
 * What clones, and tasks, cost where they run.
 *
 * @param vmMillis from the launch of the clone's container until it runs, without what travels
 * @param megabytesPerSecond at which its files and its image travel, at the most
 * @param freezeMillis of that, how long the original stands still at the least
 * @param freezeWithFiles whether it stands still while its files travel as well
 * @param answerMillis until a task's agent answers
 * @param memoryMegabytes of a task's process, which its image holds; 0 if vmMillis has it
 * @param jvmCpuSeconds of a processor for a task's JVM until it works
 * @param mapCpuPerMegabyte seconds of a processor for a megabyte that a map of a sort reads
 * @param reduceCpuPerMegabyte the same of what a reduce of a sort fetches
 */
public record CostBook(
        String name,
        double vmMillis,
        double megabytesPerSecond,
        double freezeMillis,
        boolean freezeWithFiles,
        double answerMillis,
        double memoryMegabytes,
        double jvmCpuSeconds,
        double mapCpuPerMegabyte,
        double reduceCpuPerMegabyte) {

    /**
     * Its section V: 15 s, 40 MB/s; and the process is stalled for all of it (section III). Of
     * tasks it tells nothing but that its base job takes 15 to 45 minutes.
     */
    public static CostBook paper() {
        return new CostBook("paper", 15_000, 40, 15_000, true, 100, 0, 2.6, 0.12, 0.1);
    }

    /** Of runs of November 2026: {@code measured.json} says of each value where it is from. */
    public static CostBook measured() {
        return Measured.BOOK;
    }

    /** It is read once. */
    private static final class Measured {
        static final CostBook BOOK = of("measured", CostSheet.measured());
    }

    /** Of what was measured of our clones: only the freeze stops the original. */
    static CostBook of(String name, CostSheet sheet) {
        return new CostBook(
                name,
                sheet.of(Cost.VM_MS),
                sheet.of(Cost.MEGABYTES_PER_S),
                sheet.of(Cost.FREEZE_MS),
                false,
                sheet.of(Cost.ANSWER_MS),
                sheet.of(Cost.MEMORY_MB),
                sheet.of(Cost.JVM_CPU_S),
                sheet.of(Cost.MAP_CPU_S_PER_MB),
                sheet.of(Cost.REDUCE_CPU_S_PER_MB));
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

    /** Where links are quicker, or slower. */
    public CostBook withMegabytesPerSecond(double megabytes) {
        return new CostBook(
                name,
                vmMillis,
                megabytes,
                freezeMillis,
                freezeWithFiles,
                answerMillis,
                memoryMegabytes,
                jvmCpuSeconds,
                mapCpuPerMegabyte,
                reduceCpuPerMegabyte);
    }

    /** What so much takes to travel where no host is slower. */
    public double travelMillis(double megabytes) {
        return 1000 * megabytes / megabytesPerSecond;
    }
}
