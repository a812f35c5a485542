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
package org.apache.hadoop.clone.seam;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A build of Hadoop at which the build of our jar has looked. Its tasks needn't look at the shape
 * of each class again, which takes some hundred milliseconds: its jars have the lengths and
 * checksums of all of them.
 *
 * <p>No lambdas and no joining of strings by + here: making them takes a JVM that starts longer
 * than all else in this class.
 */
@InterfaceAudience.Private
public final class KnownBuild {
    private static final String RESOURCES = "META-INF/clone-seam/builds/";

    /** Length and checksum of classes, by their internal names. */
    private final Map<String, String> marks;

    private KnownBuild(Map<String, String> marks) {
        this.marks = marks;
    }

    /**
     * @param sites internal names of classes, looked up where they would be loaded from; the first
     *     one tells builds apart. Everything else is looked up in their jars
     * @return null if the build isn't known
     */
    public static KnownBuild of(ClassLoader hadoop, String... sites) throws IOException {
        try (Jars jars = new Jars()) {
            Map<String, String> marks = new HashMap<>();
            for (String site : sites) {
                String mark = jars.mark(hadoop, site);
                if (mark == null) {
                    return null;
                }
                marks.put(site, mark);
            }
            String list = resource(marks.get(sites[0]));
            try (InputStream in = KnownBuild.class.getClassLoader().getResourceAsStream(list)) {
                return in != null && jars.have(in, marks) ? new KnownBuild(marks) : null;
            }
        }
    }

    /** Length and checksum of one of the sites. */
    public String mark(String site) {
        return marks.get(site);
    }

    /**
     * Where the list of a build is, each line with a class's internal name and mark.
     *
     * @param mark of the first site
     */
    public static String resource(String mark) {
        return RESOURCES.concat(mark);
    }

    /**
     * A class as the build has it.
     *
     * @return null if it isn't in a jar
     */
    public static String markOf(ClassLoader hadoop, String name) throws IOException {
        try (Jars jars = new Jars()) {
            return jars.mark(hadoop, name);
        }
    }

    /** The jars that the sites are in. */
    private static final class Jars implements Closeable {
        private final Map<String, ZipFile> open = new HashMap<>();

        String mark(ClassLoader hadoop, String name) throws IOException {
            URL found = hadoop.getResource(name.concat(".class"));
            if (found == null || !found.getProtocol().equals("jar")) {
                return null;
            }
            String path = found.getPath();
            String file = path.substring(0, path.indexOf("!/"));
            ZipFile jar = open.get(file);
            if (jar == null) {
                jar = new ZipFile(Path.of(URI.create(file)).toFile());
                open.put(file, jar);
            }
            return mark(jar, name);
        }

        private static String mark(ZipFile jar, String name) {
            ZipEntry entry = jar.getEntry(name.concat(".class"));
            return entry == null
                    ? null
                    : Long.toString(entry.getSize())
                            .concat("-")
                            .concat(Long.toHexString(entry.getCrc()));
        }

        /** Whether they have all that is listed, and all sites are among that. */
        boolean have(InputStream list, Map<String, String> sites) throws IOException {
            int seen = 0;
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int end = line.indexOf(' ');
                String name = line.substring(0, end);
                String mark = sites.get(name);
                seen += mark == null ? 0 : 1;
                if (!line.substring(end + 1).equals(mark == null ? markOf(name) : mark)) {
                    return false;
                }
            }
            return seen == sites.size();
        }

        private String markOf(String name) {
            for (ZipFile jar : open.values()) {
                String mark = mark(jar, name);
                if (mark != null) {
                    return mark;
                }
            }
            return null;
        }

        @Override
        public void close() throws IOException {
            for (ZipFile jar : open.values()) {
                jar.close();
            }
        }
    }
}
