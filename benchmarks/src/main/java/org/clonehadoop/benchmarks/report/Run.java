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
package org.clonehadoop.benchmarks.report;

import java.util.Map;
import java.util.Optional;

/**
 * A job, or all jobs of a workload as if they were one.
 *
 * @param round it took turns with others of
 * @param reportedSeconds what the workload's own harness says that it took; null if it says nothing
 */
record Run(JobLine job, Setup setup, Round round, Double reportedSeconds) {
    /** As before lines told of it. */
    static final String HOSTS = "hosts";

    static Run of(JobLine job) {
        return of(job, job.megabytes() == 0 ? "" : job.megabytes() + " MB", null);
    }

    static Run of(JobLine job, String size, Double reportedSeconds) {
        Round round = Round.of(job.round());
        TestMachine on = TestMachine.of(round);
        return new Run(
                job, Setup.of(job.commit(), size, job.environment(), on), round, reportedSeconds);
    }

    double seconds() {
        return job.seconds();
    }

    /** From the first attempt's start to the last map's end; empty if its line doesn't tell. */
    Optional<Double> mapsPhaseSeconds() {
        return Optional.ofNullable(job.mapsPhaseSeconds());
    }

    /** Between what the processors' time is shared equally: {@link #HOSTS}, or containers. */
    String equalShares() {
        return String.valueOf(job.environment().getOrDefault("equal_shares", HOSTS));
    }

    /** A number that its environment has; 0 if it hasn't. */
    double environment(String key) {
        Map<String, Object> environment = job.environment();
        return environment.get(key) instanceof Number number ? number.doubleValue() : 0;
    }
}
