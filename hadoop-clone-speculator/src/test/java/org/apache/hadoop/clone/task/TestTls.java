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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.security.ssl.SSLFactory;

/** A server's key, and what a reduce needs to trust it. */
final class TestTls {
    private static final String PASSWORD = "changeit";

    private final Path directory;
    private final Path store;

    /** With the JDK's keytool, whose code can't be called. */
    TestTls(Path directory) throws IOException, InterruptedException {
        this.directory = Files.createDirectories(directory);
        store = directory.resolve("key.jks");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-keyalg",
                                "RSA",
                                "-alias",
                                "shuffle",
                                "-dname",
                                "CN=localhost",
                                "-storetype",
                                "JKS",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                PASSWORD,
                                "-keypass",
                                PASSWORD)
                        .inheritIO()
                        .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("no key");
        }
    }

    SSLContext ofServer() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("JKS");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    /** Has a reduce of the job trust it, who looks now and then whether the store has changed. */
    void configure(JobConf job, TaskJvm jvm) throws IOException {
        Configuration client = new Configuration(false);
        client.set("ssl.client.truststore.location", store.toString());
        client.set("ssl.client.truststore.password", PASSWORD);
        client.set("ssl.client.truststore.type", "jks");
        client.set("ssl.client.truststore.reload.interval", "1000");
        try (OutputStream out = Files.newOutputStream(directory.resolve("ssl-client.xml"))) {
            client.writeXml(out);
        }
        jvm.withOnClassPath(directory);
        job.setBoolean(MRConfig.SHUFFLE_SSL_ENABLED_KEY, true);
        job.set(SSLFactory.SSL_HOSTNAME_VERIFIER_KEY, "ALLOW_ALL");
    }
}
