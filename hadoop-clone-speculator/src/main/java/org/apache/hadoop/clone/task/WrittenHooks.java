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
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.apache.hadoop.clone.seam.KnownBuild;
import org.apache.hadoop.clone.seam.Shape;
import org.apache.hadoop.clone.seam.Shape.Member;

/**
 * Looks at builds of Hadoop while we are built, the one that we are built with and that of the line
 * before, and writes the hooks of their tasks, so that these find them done: {@link HookedClasses}.
 */
@InterfaceAudience.Private
public final class WrittenHooks {
    private final Path classes;
    private final ClassLoader hadoop;

    private WrittenHooks(Path classes, ClassLoader hadoop) {
        this.classes = classes;
        this.hadoop = hadoop;
    }

    /**
     * @param arguments the directory of our classes, and one with the jars of an older Hadoop
     * @throws IllegalStateException if one of the two isn't as expected
     */
    public static void main(String[] arguments) throws IOException {
        Path classes = Path.of(arguments[0]);
        new WrittenHooks(classes, WrittenHooks.class.getClassLoader()).write();
        try (URLClassLoader older = older(Path.of(arguments[1]))) {
            new WrittenHooks(classes, older).write();
        }
    }

    /** Its jars before those that we are built with, which have what is the same in both. */
    private static URLClassLoader older(Path directory) throws IOException {
        List<URL> urls = new ArrayList<>();
        try (Stream<Path> jars = Files.list(directory)) {
            for (Path jar : jars.sorted().toList()) {
                urls.add(jar.toUri().toURL());
            }
        }
        if (WrittenHooks.class.getClassLoader() instanceof URLClassLoader newer) {
            urls.addAll(List.of(newer.getURLs()));
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private void write() throws IOException {
        for (String name : HookedClasses.names()) {
            byte[] original = HookedClasses.original(hadoop, name);
            write(
                    HookedClasses.written(name, HookedClasses.mark(original)),
                    HookWriter.hooked(name, original));
        }
        for (String name : HookedClasses.namesOfLater()) {
            HookWriter.hooked(name, HookedClasses.original(hadoop, name));
        }
        writeList(
                HadoopLine.shapeOfTasks(),
                HadoopLine.jarsOfTasks(),
                HookedClasses.names(),
                HookedClasses.namesOfLater());
        writeList(HadoopLine.shapeOfAppMasters(), HadoopLine.jarsOfAppMasters());
    }

    /** Of what is in the jars of some classes: a process looks that up at little cost. */
    private void writeList(Shape shape, String[] ofJars, String[]... others) throws IOException {
        Optional<Member> missing = shape.missing(hadoop);
        if (missing.isPresent()) {
            throw new IllegalStateException("no " + missing.get() + " in " + hadoop);
        }
        Set<String> names = new TreeSet<>(List.of(ofJars));
        Stream.of(others).flatMap(Stream::of).forEach(names::add);
        shape.members().forEach(member -> names.add(member.owner()));
        Set<String> jars = new TreeSet<>();
        for (String name : ofJars) {
            jars.add(jar(name));
        }
        StringBuilder list = new StringBuilder();
        for (String name : names) {
            if (jars.contains(jar(name))) {
                list.append(name).append(' ').append(KnownBuild.markOf(hadoop, name)).append('\n');
            }
        }
        write(
                KnownBuild.resource(KnownBuild.markOf(hadoop, ofJars[0])),
                list.toString().getBytes(StandardCharsets.UTF_8));
    }

    private String jar(String name) {
        return hadoop.getResource(name + ".class").getPath().split("!/")[0];
    }

    private void write(String name, byte[] contents) throws IOException {
        Path file = classes.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, contents);
    }
}
