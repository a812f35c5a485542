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
package org.clonehadoop.rest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RestClientTest {
    private static final RestClient CLIENT = new RestClient(Duration.ofSeconds(1));

    private static ServerSocket silent() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    }

    private static String url(ServerSocket server) {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    @Test
    void aServerThatIsThereButSilentIsntCalledMissing() throws IOException {
        try (ServerSocket server = silent()) {
            String url = url(server);
            assertThatThrownBy(() -> CLIENT.get(URI.create(url + "/")))
                    .isInstanceOf(HttpTimeoutException.class)
                    .hasMessageStartingWith(url + " hasn't answered within 1 s: ");
        }
    }

    @Test
    void aServerThatIsntThereIsCalledMissing() throws IOException {
        ServerSocket closed = silent();
        closed.close();
        String url = url(closed);
        assertThatThrownBy(() -> CLIENT.get(URI.create(url + "/")))
                .isNotInstanceOf(HttpTimeoutException.class)
                .hasMessage("no JobHistory server answers at " + url);
    }
}
