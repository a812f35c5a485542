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
package org.clonehadoop.benchmarks.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.clone.stage.Policy;
import org.clonehadoop.benchmarks.harness.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real servers, without a limit on what they send. */
final class TransferLoopTest {
    private static final int BYTES = 20_000;
    private static final int REQUESTS = 20;

    private ServerSocket first;
    private ServerSocket second;

    @BeforeEach
    void start() throws IOException {
        first = listen();
        second = listen();
    }

    @AfterEach
    void end() throws IOException {
        first.close();
        second.close();
    }

    private static ServerSocket listen() throws IOException {
        ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> TransferServer.serve(socket));
        thread.setDaemon(true);
        thread.start();
        return socket;
    }

    private List<InetSocketAddress> servers() {
        return List.of(
                (InetSocketAddress) first.getLocalSocketAddress(),
                (InetSocketAddress) second.getLocalSocketAddress());
    }

    @ParameterizedTest
    @EnumSource
    void eachSchemeHasEachRequestOnce(Transfers.Scheme scheme) throws Exception {
        Transfer[] transfers = new Transfer[REQUESTS];
        for (int i = 0; i < REQUESTS; i++) {
            transfers[i] = new Transfer(1000L * i, BYTES + i, i % 2, (i + 1) % 2);
        }
        TransferLoop loop = new TransferLoop(servers(), transfers, BYTES + 5);
        Policy policy = scheme.policy(Duration.ofMillis(1));
        Outcome outcome =
                loop.run(policy, new Transfer[] {new Transfer(0, 1_000_000, 0, 1)}, false);
        assertThat(outcome.requests()).isEqualTo(REQUESTS);
        assertThat(loop.bySize()).extracting(Outcome::requests).containsExactly(5L, 15L);
    }
}
