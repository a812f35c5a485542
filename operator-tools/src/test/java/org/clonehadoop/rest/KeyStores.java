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
        keytool(
                store,
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + dnsName,
                "-ext",
                "san=dns:" + dnsName);
        return store;
    }

    /** What a client has that trusts the certificate of that key. */
    static Path trust(Path store, Path key) throws Exception {
        Path certificate = store.resolveSibling(store.getFileName() + ".crt");
        keytool(key, "-exportcert", "-alias", "server", "-file", certificate.toString());
        keytool(
                store,
                "-importcert",
                "-alias",
                "server",
                "-noprompt",
                "-file",
                certificate.toString());
        return store;
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
