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
package org.apache.hadoop.clone.speculate;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.limits.Subject;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;

/** An AppMaster's job as {@linkplain Subject operators' rules} see it. */
@InterfaceAudience.Private
public final class JobSubject {
    private JobSubject() {}

    /**
     * Its queue is what the ResourceManager says, also after it was moved.
     *
     * @param context of an AppMaster with one job, as all have
     */
    public static Subject of(AppContext context) {
        Job job = context.getAllJobs().values().iterator().next();
        return new Subject(
                TypeConverter.fromYarn(job.getID()).toString(),
                job.getQueueName(),
                job.getUserName());
    }
}
