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

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * What a job is called: the same for all its copies and at every layer, so that each layer can
 * purge them (the paper's {@code job-id}, table 3).
 *
 * @param whole the same for all parts of one job
 * @param part which of them; the job itself unless it was made by {@link #part}
 */
public record JobId(long whole, long part) {

    /** Odd, so that no two parts have one product; large, so that no number leads to the next. */
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    /** An id that no other job has, if {@code random} is any good. */
    public static JobId random(RandomGenerator random) {
        return new JobId(random.nextLong(), random.nextLong());
    }

    /** The id of work that has a name already, a task's or a request's: equal names, equal ids. */
    public static JobId named(String name) {
        UUID hash = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
        return new JobId(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
    }

    /**
     * The id of a part of this job, for a layer that cuts jobs into smaller ones; also of a part
     * that a layer above has made.
     *
     * @param number from 0
     */
    public JobId part(long number) {
        return new JobId(whole, part * SPREAD + number + 1);
    }

    /** Whether both are parts of one job, or one is a part of the other. */
    public boolean isOfSameJobAs(JobId other) {
        return whole == other.whole;
    }
}
