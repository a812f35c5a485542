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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real handshakes, for what they fail with is the JDK's own. */
class TlsFaultsTest {
    @TempDir static Path shared;
    @TempDir Path dir;

    private static Path issuer;

    @BeforeAll
    static void makeIssuer() throws Exception {
        issuer = KeyStores.issuer(shared.resolve("issuer.p12"));
    }

    /** What is said when a client that trusts its issuer asks localhost. */
    private String line(String dnsName, String... extensions) throws Exception {
        return line(issuer, dnsName, extensions);
    }

    private String line(Path by, String dnsName, String... extensions) throws Exception {
        Path key = KeyStores.issuedKey(dir.resolve("key.p12"), by, dnsName, extensions);
        Path trust = KeyStores.trust(dir.resolve("trust.p12"), by);
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store(key), KeyStores.PASSWORD.toCharArray());
        SSLContext server = SSLContext.getInstance("TLS");
        server.init(keys.getKeyManagers(), null, new SecureRandom());
        TrustManagerFactory trusted =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store(trust));
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(null, trusted.getTrustManagers(), new SecureRandom());
        try (SSLServerSocket listening =
                (SSLServerSocket)
                        server.getServerSocketFactory()
                                .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> accepting =
                    CompletableFuture.runAsync(() -> shakeHands(listening));
            SSLException fault =
                    catchThrowableOfType(
                            SSLException.class, () -> ask(client, listening.getLocalPort()));
            accepting.join();
            assertThat(fault).isNotNull();
            return TlsFaults.line("localhost", fault);
        }
    }

    private static KeyStore store(Path file) throws Exception {
        return KeyStore.getInstance(file.toFile(), KeyStores.PASSWORD.toCharArray());
    }

    private static void shakeHands(SSLServerSocket listening) {
        try (SSLSocket socket = (SSLSocket) listening.accept()) {
            socket.startHandshake();
        } catch (IOException e) {
            // The client refuses the certificate, and says why on its side.
        }
    }

    private static void ask(SSLContext client, int port) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) client.getSocketFactory().createSocket("localhost", port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
        }
    }

    @Test
    void aCertificateForClientsIsNotForAnotherName() throws Exception {
        assertThat(line("localhost", "san=dns:localhost", "eku=clientAuth"))
                .startsWith("the certificate of localhost can't be used")
                .contains("Extended key usage")
                .doesNotContain("name");
    }

    @Test
    void aKeyThatMayNotSignIsNotForAnotherName() throws Exception {
        assertThat(line("localhost", "san=dns:localhost", "ku:critical=keyAgreement"))
                .startsWith("the certificate of localhost can't be used")
                .doesNotContain("name");
    }

    @Test
    void anIssuerThatIsNoneIsNotForAnotherName() throws Exception {
        Path none = KeyStores.key(dir.resolve("none.p12"), "none");
        assertThat(line(none, "localhost", "san=dns:localhost"))
                .startsWith("the certificate of localhost can't be used")
                .contains("not a CA certificate")
                .doesNotContain("name");
    }

    @Test
    void anotherAlternativeNameIsAnotherName() throws Exception {
        assertThat(line("localhost", "san=dns:elsewhere")).contains("is for another name");
    }

    @Test
    void anotherCommonNameAloneIsAnotherName() throws Exception {
        assertThat(line("elsewhere")).contains("is for another name");
    }
}
