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
package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolEndTest {
    private static final long CLONE = 5;

    @ParameterizedTest
    @CsvSource({
        "67, criu-remote-clone serve: it has a terminal, REFUSED",
        "69, criu-remote-clone serve: 4 clones run on this host, REFUSED",
        "73, criu-remote-clone serve: only 40 MiB are available, REFUSED",
        "67, criu-remote-clone serve: peer: /data has become a link, FAILED",
        "69, criu-remote-clone serve: peer: 4 clones run on this host, FAILED",
        "73, criu-remote-clone serve: peer: the disk is full, FAILED",
        "65, criu-remote-clone serve: no CRIU on this host, FAILED",
        "66, criu-remote-clone serve: the peer went away, FAILED",
        "70, criu-remote-clone serve: the process could not be imaged, FAILED",
        "74, criu-remote-clone serve: the time limit passed, FAILED",
        "killed, the tool said nothing, FAILED"
    })
    void onlyWhatIsTheOriginalsOwnIsARefusal(String status, String word, CloneAnswer.Kind kind) {
        CloneAnswer answer = new ToolEnd(status, word).answer(CLONE);
        assertThat(answer.kind()).isEqualTo(kind);
        assertThat(answer.cloneId()).isEqualTo(CLONE);
        assertThat(answer.reason()).isEqualTo(word);
    }
}
