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
package org.clonehadoop.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The jars of the release that {@code check} runs out of. Ours share classes, of which the first on
 * a class path counts: so all on a node must be of one release, which a comparison of nodes that
 * are all alike doesn't show.
 *
 * @param checksums SHA-256; empty where it runs out of no release
 */
record ReleaseJars(Set<String> checksums) {
    static final ReleaseJars NONE = new ReleaseJars(Set.of());

    /**
     * @param directory the release's {@code lib}
     */
    static ReleaseJars in(Path directory) throws IOException {
        try (Stream<Path> jars = Files.list(directory)) {
            Set<String> checksums = new TreeSet<>();
            for (Path jar : jars.filter(file -> file.toString().endsWith(".jar")).toList()) {
                checksums.add(checksum(jar));
            }
            return new ReleaseJars(checksums);
        }
    }

    private static String checksum(Path file) throws IOException {
        try {
            byte[] bytes = Files.readAllBytes(file);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each JDK has it
        }
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** A warning for each of ours that is of another one. */
    List<Finding> others(Node node) {
        if (checksums.isEmpty() || !node.answered()) {
            return List.of();
        }
        return node.facts().ourJars().entrySet().stream()
                .filter(jar -> !checksums.contains(jar.getValue()))
                .map(
                        jar ->
                                Finding.warn(
                                        "release",
                                        jar.getKey() + " isn't of this release",
                                        "jars of two releases on one class path don't fit"
                                                + " together: run this release's sbin/install-node"
                                                + " with --hadoop and --jars as here, or copy its"
                                                + " lib/"
                                                + name(jar.getKey())
                                                + " there"))
                .toList();
    }
}
