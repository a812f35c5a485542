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

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** This process's Hadoop, loaded anew, with one class changed. */
public final class AlteredHadoop extends URLClassLoader {
    private AlteredHadoop(URL[] urls) {
        super(urls, ClassLoader.getPlatformClassLoader());
    }

    /**
     * Its members of that name have another.
     *
     * @param directory gets the class
     */
    public static AlteredHadoop without(Path directory, String type, String member)
            throws IOException {
        write(directory, type, member);
        List<URL> urls = new ArrayList<>(List.of(directory.toUri().toURL()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return new AlteredHadoop(urls.toArray(URL[]::new));
    }

    /** Only the class, for a class path. */
    public static void write(Path directory, String type, String member) throws IOException {
        String file = type.replace('.', '/') + ".class";
        Path altered = directory.resolve(file);
        Files.createDirectories(altered.getParent());
        try (InputStream in = AlteredHadoop.class.getClassLoader().getResourceAsStream(file)) {
            Files.write(altered, without(in.readAllBytes(), member));
        }
    }

    /** A class that isn't on any class path. */
    public static byte[] without(byte[] original, String member) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(original).accept(new Renaming(writer, member), 0);
        return writer.toByteArray();
    }

    /** Whether a class is there already. */
    public boolean hasLoaded(String name) {
        return findLoadedClass(name) != null;
    }

    private static final class Renaming extends ClassVisitor {
        private final String member;

        Renaming(ClassVisitor to, String member) {
            super(Opcodes.ASM9, to);
            this.member = member;
        }

        private String renamed(String name) {
            return name.equals(member) ? name + "Otherwise" : name;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            return super.visitMethod(access, renamed(name), descriptor, signature, exceptions);
        }

        @Override
        public FieldVisitor visitField(
                int access, String name, String descriptor, String signature, Object value) {
            return super.visitField(access, renamed(name), descriptor, signature, value);
        }
    }
}
