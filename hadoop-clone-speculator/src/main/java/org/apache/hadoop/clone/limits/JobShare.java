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
package org.apache.hadoop.clone.limits;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs that use any of this, of all: always the same ones, and those of a smaller share are
 * among those of a larger one.
 *
 * @param percent 0 to 100
 */
@InterfaceAudience.Private
public record JobShare(int percent) {
    private static final Logger LOG = LoggerFactory.getLogger(JobShare.class);

    static final int ALL = 100;

    /** A configured share; none at all if it is no share. */
    public static JobShare of(Configuration conf) {
        int percent;
        try {
            percent = conf.getInt(CloneKeys.PERCENT_OF_JOBS, CloneKeys.PERCENT_OF_JOBS_DEFAULT);
        } catch (NumberFormatException wrong) {
            percent = -1;
        }
        if (percent >= 0 && percent <= ALL) {
            return new JobShare(percent);
        }
        LOG.error("{} must be 0 to 100; until then it counts as 0", CloneKeys.PERCENT_OF_JOBS);
        return new JobShare(0);
    }

    /** Whether that is every job. */
    public boolean isAll() {
        return percent == ALL;
    }

    /** Whether the job is one of them. Ids follow one another, so they aren't taken as they are. */
    public boolean has(String job) {
        CRC32 hash = new CRC32();
        hash.update(job.getBytes(StandardCharsets.UTF_8));
        return hash.getValue() % ALL < percent;
    }

    @Override
    public String toString() {
        return percent + " percent of all jobs";
    }
}
