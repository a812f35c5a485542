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

import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer;
import org.apache.hadoop.mapreduce.v2.util.MRWebAppUtil;

/** A real JobHistory server without jobs, in this JVM. */
final class HistoryServer implements AutoCloseable {
    static final String POLICY = "mapreduce.jobhistory.http.policy";
    static final String HTTPS_ONLY = "HTTPS_ONLY";

    private final JobHistoryServer server = new JobHistoryServer();
    private final String address;

    /**
     * @param scratch for what it writes
     * @param settings what its configuration has beside its directories and addresses
     */
    HistoryServer(Path scratch, Map<String, String> settings) throws Exception {
        Configuration conf = new Configuration();
        conf.set("fs.defaultFS", scratch.toUri().toString());
        conf.set("mapreduce.jobhistory.done-dir", scratch.resolve("done").toUri().toString());
        conf.set(
                "mapreduce.jobhistory.intermediate-done-dir",
                scratch.resolve("new").toUri().toString());
        conf.set("mapreduce.jobhistory.address", "localhost:0");
        conf.set("mapreduce.jobhistory.admin.address", "localhost:0");
        conf.set("mapreduce.jobhistory.webapp.address", "localhost:0");
        conf.set("mapreduce.jobhistory.webapp.https.address", "localhost:0");
        settings.forEach(conf::set);
        server.init(conf);
        server.start();
        // The one of the two that it uses is there with its port now.
        address = MRWebAppUtil.getJHSWebappURLWithoutScheme(server.getConfig());
    }

    /** One that speaks HTTPS, with that key. */
    static HistoryServer https(Path scratch, Path key, Map<String, String> settings)
            throws Exception {
        Configuration ssl = new Configuration(false);
        ssl.set("ssl.server.keystore.location", key.toString());
        ssl.set("ssl.server.keystore.type", "pkcs12");
        ssl.set("ssl.server.keystore.password", KeyStores.PASSWORD);
        ssl.set("ssl.server.keystore.keypassword", KeyStores.PASSWORD);
        Path onClassPath = Files.createDirectory(scratch.resolve("conf"));
        try (OutputStream file = Files.newOutputStream(onClassPath.resolve("ssl-server.xml"))) {
            ssl.writeXml(file);
        }
        Map<String, String> all = new HashMap<>(settings);
        all.put(POLICY, HTTPS_ONLY);
        // What the server goes by; by its own it only chooses its address.
        all.put("yarn.http.policy", HTTPS_ONLY);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        URL[] first = {onClassPath.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(first, before)) {
            thread.setContextClassLoader(loader);
            return new HistoryServer(scratch, all);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Its URL, by a name that leads to this host. */
    String url(String scheme, String host) {
        return scheme + "://" + host + address.substring(address.lastIndexOf(':'));
    }

    @Override
    public void close() {
        server.stop();
    }
}
