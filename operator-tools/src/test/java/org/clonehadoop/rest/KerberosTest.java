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

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.clonehadoop.history.HistoryCommand;
import org.clonehadoop.report.ReportCommand;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real JobHistory server behind Hadoop's AuthenticationFilter, with a real KDC. The commands run
 * in processes of their own, as only so they have other ticket caches.
 */
class KerberosTest {
    private static final String USER = "alice";
    private static final String PASSWORD = "secret";

    @TempDir static Path dir;

    private static MiniKdc kdc;
    private static HistoryServer server;

    @BeforeAll
    static void start() throws Exception {
        Path work = Files.createDirectory(dir.resolve("kdc"));
        kdc = new MiniKdc(MiniKdc.createConf(), work.toFile());
        kdc.start();
        kdc.createPrincipal(USER, PASSWORD);
        File keytab = dir.resolve("keytab").toFile();
        kdc.createPrincipal(keytab, "HTTP/localhost");
        KrbClient client = new KrbClient(kdc.getKrb5conf().getParentFile());
        client.init();
        client.storeTicket(client.requestTgt(USER, PASSWORD), dir.resolve("ticket").toFile());
        server = new HistoryServer(dir, settings(keytab));
    }

    private static Map<String, String> settings(File keytab) throws Exception {
        Path secret = Files.writeString(dir.resolve("signature"), "any");
        return Map.of(
                "hadoop.http.filter.initializers",
                "org.apache.hadoop.security.AuthenticationFilterInitializer",
                "hadoop.http.authentication.type",
                "kerberos",
                "hadoop.http.authentication.kerberos.principal",
                "HTTP/localhost@" + kdc.getRealm(),
                "hadoop.http.authentication.kerberos.keytab",
                keytab.toString(),
                "hadoop.http.authentication.signature.secret.file",
                secret.toString());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (kdc != null) {
            kdc.stop();
        }
    }

    private static CommandProcess run(String ticket, Class<?> command, String... arguments)
            throws Exception {
        return CommandProcess.run(
                dir,
                Map.of("KRB5CCNAME", "FILE:" + dir.resolve(ticket)),
                List.of("-Djava.security.krb5.conf=" + kdc.getKrb5conf()),
                command,
                arguments);
    }

    @Test
    void aTicketIsShownAndJobsAreTold() throws Exception {
        CommandProcess run =
                run("ticket", HistoryCommand.class, "--url", server.url("http", "localhost"));
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("Of 0 jobs: clones: 0 ordered");
        assertThat(run.code()).isZero();
    }

    @Test
    void aTicketIsShownOverHttpsToo() throws Exception {
        Path scratch = Files.createDirectory(dir.resolve("https"));
        Path key = KeyStores.key(scratch.resolve("key.p12"), "localhost");
        Path trustStore = KeyStores.trust(scratch.resolve("trust.p12"), key);
        try (HistoryServer https =
                HistoryServer.https(scratch, key, settings(dir.resolve("keytab").toFile()))) {
            CommandProcess run =
                    CommandProcess.run(
                            dir,
                            Map.of("KRB5CCNAME", "FILE:" + dir.resolve("ticket")),
                            List.of(
                                    "-Djava.security.krb5.conf=" + kdc.getKrb5conf(),
                                    "-Djavax.net.ssl.trustStore=" + trustStore,
                                    "-Djavax.net.ssl.trustStorePassword=" + KeyStores.PASSWORD),
                            HistoryCommand.class,
                            "--url",
                            https.url("https", "localhost"));
            assertThat(run.err()).isEmpty();
            assertThat(run.out()).contains("Of 0 jobs: clones: 0 ordered");
            assertThat(run.code()).isZero();
        }
    }

    @Test
    void withoutATicketOneLineSaysKinit() throws Exception {
        String url = server.url("http", "localhost");
        for (CommandProcess run :
                List.of(
                        run("none", HistoryCommand.class, "--url", url),
                        run("none", ReportCommand.class, "job_1_0001", "--url", url))) {
            assertThat(run.err().lines())
                    .singleElement()
                    .asString()
                    .contains(url + " asks for Kerberos", "run kinit");
            assertThat(run.out()).isEmpty();
            assertThat(run.code()).isEqualTo(3);
        }
    }

    /** The realm knows no HTTP/127.0.0.1. */
    @Test
    void aHostWithoutAPrincipalIsNamed() throws Exception {
        CommandProcess run =
                run("ticket", HistoryCommand.class, "--url", server.url("http", "127.0.0.1"));
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .contains("Kerberos gives no ticket for HTTP/127.0.0.1");
        assertThat(run.code()).isEqualTo(1);
    }
}
