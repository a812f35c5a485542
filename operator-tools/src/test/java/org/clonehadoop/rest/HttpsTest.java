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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clonehadoop.history.HistoryCommand;
import org.clonehadoop.report.ReportCommand;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real JobHistory server with HTTPS. The commands run in processes of their own, as only so they
 * have other trust stores.
 */
class HttpsTest {
    @TempDir static Path dir;

    private static HistoryServer server;
    private static Path trustStore;

    @BeforeAll
    static void start() throws Exception {
        Path key = KeyStores.key(dir.resolve("key.p12"), "localhost");
        trustStore = KeyStores.trust(dir.resolve("trust.p12"), key);
        server = HistoryServer.https(dir, key, Map.of());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static CommandProcess history(String url, String... jvmOptions) throws Exception {
        return CommandProcess.run(
                dir, Map.of(), List.of(jvmOptions), HistoryCommand.class, "--url", url);
    }

    private static String[] trusting() {
        return new String[] {
            trustStore(), "-Djavax.net.ssl.trustStorePassword=" + KeyStores.PASSWORD
        };
    }

    private static String trustStore() {
        return "-Djavax.net.ssl.trustStore=" + trustStore;
    }

    private static void assertRefused(CommandProcess run, String... saying) {
        assertThat(run.err().lines()).singleElement().asString().contains(saying);
        assertThat(run.out()).isEmpty();
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void aTrustedServerTellsOfJobs() throws Exception {
        CommandProcess run = history(server.url("https", "localhost"), trusting());
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("Of 0 jobs: clones: 0 ordered");
        assertThat(run.code()).isZero();
    }

    @Test
    void reportsAskOverHttpsToo() throws Exception {
        CommandProcess run =
                CommandProcess.run(
                        dir,
                        Map.of(),
                        List.of(trusting()),
                        ReportCommand.class,
                        "job_1_0001",
                        "--url",
                        server.url("https", "localhost"));
        assertRefused(run, "doesn't know job_1_0001");
    }

    @Test
    void anUntrustedCertificateAsksForATrustStore() throws Exception {
        assertRefused(
                history(server.url("https", "localhost")),
                "isn't trusted",
                "-Djavax.net.ssl.trustStore=FILE");
    }

    @Test
    void aCertificateForAnotherNameSaysSo() throws Exception {
        assertRefused(
                history(server.url("https", "127.0.0.1"), trusting()),
                "is for another name",
                "127.0.0.1");
    }

    /** What {@code mapreduce.jobhistory.http.policy} alone makes of port 19890. */
    @Test
    void aServerThatSpeaksPlainHttpIsNotCalledUntrusted() throws Exception {
        Path scratch = Files.createDirectory(dir.resolve("plain"));
        try (HistoryServer plain =
                new HistoryServer(
                        scratch, Map.of(HistoryServer.POLICY, HistoryServer.HTTPS_ONLY))) {
            CommandProcess run = history(plain.url("https", "localhost"), trusting());
            assertRefused(run, "no HTTPS with", "yarn.http.policy=HTTPS_ONLY");
            assertThat(run.err()).doesNotContain("trust");
            assertThat(history(plain.url("http", "localhost")).code()).isZero();
        }
    }

    @Test
    void plainHttpToAPortForHttpsSaysSo() throws Exception {
        assertRefused(history(server.url("http", "localhost")), "name it by https://");
    }

    /** Java 17 then reads no certificate of a PKCS12 store. */
    @Test
    void aTrustStoreWithoutItsPasswordTrustsNothing() throws Exception {
        assertRefused(
                history(server.url("https", "localhost"), trustStore()),
                "no certificate is trusted",
                "its password wasn't given");
    }

    @Test
    void aTrustStoreWithAWrongPasswordCantBeRead() throws Exception {
        assertRefused(
                history(
                        server.url("https", "localhost"),
                        trustStore(),
                        "-Djavax.net.ssl.trustStorePassword=wrong"),
                "the trust store can't be read");
    }
}
