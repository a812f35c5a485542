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
package org.apache.hadoop.clone.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillPlaceTest {
    @TempDir private Path dir;

    private static TaskAttemptID id(int attempt) {
        return new TaskAttemptID("1700000000000", 7, TaskType.MAP, 13, attempt);
    }

    /** Not after the one that began it, which may write it as well. */
    @Test
    void isNamedAfterTheAttemptThatWritesIt() throws Exception {
        JobConf job = new JobConf(false);
        job.set(MRConfig.LOCAL_DIR, dir.toString());
        AtomicReference<TaskAttemptID> now = new AtomicReference<>(id(0));
        SpillPlace place = new SpillPlace(now::get, job, () -> {});

        now.set(id(1));
        assertThat(place.files().getSpillFileForWrite(0, 1).getParent().getName())
                .isEqualTo(id(1).toString());
        assertThat(place.servedAs()).isEqualTo(1);

        now.set(id(2));
        assertThat(place.files().getSpillFileForWrite(1, 1).getParent().getName())
                .as("what is begun stays where it is")
                .isEqualTo(id(1).toString());
        assertThat(place.servedAs()).isEqualTo(1);
    }
}
