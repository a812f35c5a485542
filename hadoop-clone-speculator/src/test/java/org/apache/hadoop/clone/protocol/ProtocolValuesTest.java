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
package org.apache.hadoop.clone.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.junit.jupiter.api.Test;

class ProtocolValuesTest {
    private static final byte[] PASSWORD = {1, 2, 3};
    private static final byte[] NONCE = new byte[OneTimeKey.NONCE_BYTES];

    @Test
    void ordersSurviveTheWire() throws IOException {
        CloneLimits limits = new CloneLimits(20_000, 60_000);
        CloneOrder offer =
                sent(CloneOrder.offer(7, 3, new byte[] {9, 8}, limits), new CloneOrder());
        assertThat(offer.kind()).isEqualTo(CloneOrder.Kind.OFFER);
        assertThat(offer.serial()).isEqualTo(7);
        assertThat(offer.cloneId()).isEqualTo(3);
        assertThat(offer.nonce()).containsExactly(9, 8);
        assertThat(offer.limits()).isEqualTo(limits);

        assertThat(sent(CloneOrder.prepare(5, 2), new CloneOrder()))
                .hasToString("PREPARE 5 of clone 2");
        assertThat(sent(CloneOrder.cancel(6, 2), new CloneOrder()))
                .hasToString("CANCEL 6 of clone 2");
        assertThat(sent(CloneOrder.none(), new CloneOrder()).kind())
                .isEqualTo(CloneOrder.Kind.NONE);
    }

    @Test
    void answersSurviveTheWire() throws IOException {
        CloneAnswer able =
                sent(CloneAnswer.able(3, 1000, 5000).havingWaited(20), new CloneAnswer());
        assertThat(able.fileBytes()).isEqualTo(1000);
        assertThat(able.memoryBytes()).isEqualTo(5000);
        assertThat(able.waitedMillis()).isEqualTo(20);

        SourcePaths paths =
                new SourcePaths("/work", List.of("/a", "/b"), List.of("/log"))
                        .withLinks(Map.of("job.jar", "/a/filecache/10/job.jar"));
        CloneAnswer offered = sent(CloneAnswer.offered(3, "h1:99", paths), new CloneAnswer());
        assertThat(offered.address()).isEqualTo("h1:99");
        assertThat(offered.paths()).hasToString(paths.toString());
        assertThat(offered.paths().localDirs()).containsExactly("/a", "/b");
        assertThat(offered.paths().links()).containsEntry("job.jar", "/a/filecache/10/job.jar");

        CloneAnswer sent =
                sent(
                        CloneAnswer.sent(3, 83, 117, new CloneTravel(4096, 90_000, 12)),
                        new CloneAnswer());
        assertThat(sent.frozenMillis()).isEqualTo(83);
        assertThat(sent.gateMillis()).isEqualTo(117);
        assertThat(sent.travel()).isEqualTo(new CloneTravel(4096, 90_000, 12));
        assertThat(sent(CloneAnswer.refused(3, "a child runs"), new CloneAnswer()))
                .hasToString("REFUSED clone 3: a child runs");
        assertThat(sent(CloneAnswer.failed(3, "the peer left"), new CloneAnswer()).reason())
                .isEqualTo("the peer left");
    }

    @Test
    void anIdentitySurvivesTheWire() throws IOException {
        TaskAttemptID attempt = TaskAttemptID.forName("attempt_1_0001_m_000002_1");
        CloneIdentity identity =
                sent(new CloneIdentity(attempt, "container_1", "h2"), new CloneIdentity());
        assertThat(identity.attempt()).isEqualTo(attempt);
        assertThat(identity.containerId()).isEqualTo("container_1");
        assertThat(identity.host()).isEqualTo("h2");
    }

    @Test
    void bothEndsDeriveTheSameKeyAndEveryCloneHasItsOwn() {
        OneTimeKey key = OneTimeKey.of(PASSWORD, 1, NONCE);
        assertThat(OneTimeKey.of(PASSWORD, 1, NONCE)).isEqualTo(key).hasSameHashCodeAs(key);
        assertThat(OneTimeKey.of(PASSWORD, 2, NONCE)).isNotEqualTo(key);
        assertThat(OneTimeKey.of(new byte[] {1, 2, 4}, 1, NONCE)).isNotEqualTo(key);
        assertThat(OneTimeKey.of(PASSWORD, 1, new byte[] {1})).isNotEqualTo(key);
    }

    @Test
    void aKeyIsWrittenAsTheToolReadsItAndNeverLogged() {
        OneTimeKey key = OneTimeKey.of(PASSWORD, 1, NONCE);
        assertThat(key.hex()).matches("[0-9a-f]{64}");
        assertThat(new String(key.credential(), StandardCharsets.US_ASCII))
                .isEqualTo("clone-key:" + key.hex());
        assertThat(key.toString()).doesNotContain(key.hex());
    }

    @Test
    void spillsSurviveTheWire() throws IOException {
        SpillNotice notice =
                sent(new SpillNotice(3, 17, 18, 1, 5, 0, 1L << 40, 0), new SpillNotice());
        assertThat(notice.index()).isEqualTo(3);
        assertThat(notice.previousChain()).isEqualTo(17);
        assertThat(notice.chain()).isEqualTo(18);
        assertThat(notice.servedAs()).isEqualTo(1);
        assertThat(notice.emptyPartitions()).hasToString("{1, 3}");
    }

    private static <T extends Writable> T sent(T value, T received) throws IOException {
        DataOutputBuffer out = new DataOutputBuffer();
        value.write(out);
        DataInputBuffer in = new DataInputBuffer();
        in.reset(out.getData(), out.getLength());
        received.readFields(in);
        assertThat(in.available()).isZero();
        return received;
    }
}
