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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Stores of keys and certificates, as an administrator makes them with the JDK's keytool. */
final class KeyStores {
    static final String PASSWORD = "changeit";

    private KeyStores() {}

    /** A key with a certificate of its own for that name. */
    static Path key(Path store, String dnsName) throws Exception {
        return key(store, "CN=" + dnsName, "san=dns:" + dnsName);
    }

    /** One that issues certificates for others. */
    static Path issuer(Path store) throws Exception {
        return key(store, "CN=issuer", "bc:critical=ca:true");
    }

    private static Path key(Path store, String name, String extension) throws Exception {
        keytool(
                store,
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                name,
                "-ext",
                extension);
        return store;
    }

    /** A key whose certificate, with these extensions, is from an issuer with a key of its own. */
    static Path issuedKey(Path store, Path issuer, String dnsName, String... extensions)
            throws Exception {
        Path request = store.resolveSibling(store.getFileName() + ".csr");
        Path certificate = store.resolveSibling(store.getFileName() + ".issued");
        key(store, dnsName);
        keytool(store, "-certreq", "-alias", "server", "-file", request.toString());
        List<String> words =
                new ArrayList<>(List.of("-alias", "server", "-infile", request.toString()));
        words.addAll(List.of("-outfile", certificate.toString()));
        for (String extension : extensions) {
            words.addAll(List.of("-ext", extension));
        }
        keytool(issuer, "-gencert", words.toArray(String[]::new));
        importCertificate(store, "issuer", exported(issuer));
        importCertificate(store, "server", certificate);
        return store;
    }

    /** What a client has that trusts the certificate of that key. */
    static Path trust(Path store, Path key) throws Exception {
        importCertificate(store, "server", exported(key));
        return store;
    }

    private static Path exported(Path key) throws Exception {
        Path certificate = key.resolveSibling(key.getFileName() + ".crt");
        keytool(key, "-exportcert", "-alias", "server", "-file", certificate.toString());
        return certificate;
    }

    private static void importCertificate(Path store, String alias, Path certificate)
            throws Exception {
        keytool(
                store,
                "-importcert",
                "-alias",
                alias,
                "-noprompt",
                "-file",
                certificate.toString());
    }

    private static void keytool(Path store, String command, String... options)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        words.addAll(List.of(command, "-keystore", store.toString(), "-storepass", PASSWORD));
        words.addAll(List.of(options));
        Path said = Files.createTempFile(store.getParent(), "keytool", ".out");
        Process process =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        assertThat(process.waitFor()).describedAs(Files.readString(said)).isZero();
    }
}
