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
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjIntConsumer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes into the JDK's classes that open files that somebody is told of each, by its path and
 * whether it is opened to go on with what is in it: for writing, without being emptied or made
 * anew. Only for clones: whatever else opens files is stock's.
 */
final class OpenHooks implements ClassFileTransformer {
    private static final String STREAM = "java/io/FileOutputStream";
    private static final String RANDOM = "java/io/RandomAccessFile";
    private static final String CHANNEL = "sun/nio/fs/UnixChannelFactory";
    private static final String FLAGS = CHANNEL + "$Flags";
    private static final String PATH = "sun/nio/fs/UnixPath";

    /** Internal names of the classes by which all others open files. */
    static final Set<String> SITES = Set.of(STREAM, RANDOM, CHANNEL);

    /** The JDK's classes don't see ours, so that they find whom to tell in one of their own. */
    private static final String HOLDER = "java/io/OpensOfClone";

    private static final String FIELD = "told";
    private static final String TOLD = Type.getDescriptor(ObjIntConsumer.class);

    private static final String OPEN = "open";

    private final Set<String> written = ConcurrentHashMap.newKeySet();

    /** The same, loaded. */
    static Class<?>[] sites() throws ClassNotFoundException {
        List<Class<?>> found = new ArrayList<>();
        for (String site : SITES) {
            found.add(Class.forName(site.replace('/', '.')));
        }
        return found.toArray(Class<?>[]::new);
    }

    /** Which of {@link #SITES} have their hooks. */
    Set<String> written() {
        return written;
    }

    /** A public class of {@code java.io} with nothing but {@link #FIELD}. */
    static byte[] holder() {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(
                Opcodes.V11,
                Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER,
                HOLDER,
                null,
                Type.getInternalName(Object.class),
                null);
        writer.visitField(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, FIELD, TOLD, null, null)
                .visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    /**
     * Before there is any hook.
     *
     * @param holder as it was defined
     * @param told what opens, and 1 if it goes on with what is in the file
     */
    static void tell(Class<?> holder, ObjIntConsumer<Object> told)
            throws ReflectiveOperationException {
        holder.getField(FIELD).set(null, told);
    }

    /**
     * Whether this JDK's classes are as they are known; nothing of them is changed.
     *
     * @throws IllegalStateException if they aren't
     */
    static void check() throws IOException {
        for (String site : SITES) {
            try (InputStream in = ClassLoader.getSystemResourceAsStream(site + ".class")) {
                if (in == null) {
                    throw new IllegalStateException("this JDK has no " + site.replace('/', '.'));
                }
                written(site, in.readAllBytes());
            }
        }
    }

    @Override
    public byte[] transform(
            ClassLoader loader,
            String name,
            Class<?> redefined,
            ProtectionDomain domain,
            byte[] bytes) {
        if (loader != null || name == null || !SITES.contains(name)) {
            return null;
        }
        byte[] hooked = written(name, bytes);
        written.add(name);
        return hooked;
    }

    private static byte[] written(String name, byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new AtOpen(name, writer), 0);
        return writer.toByteArray();
    }

    /** Tells at the beginning of the one method through which the class's others open files. */
    private static final class AtOpen extends ClassVisitor {
        private final String owner;
        private boolean found;

        AtOpen(String owner, ClassVisitor to) {
            super(Opcodes.ASM9, to);
            this.owner = owner;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (!name.equals(OPEN) || !isKnown(access, descriptor)) {
                return to;
            }
            found = true;
            return new MethodVisitor(Opcodes.ASM9, to) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    super.visitFieldInsn(Opcodes.GETSTATIC, HOLDER, FIELD, TOLD);
                    arguments(mv, descriptor);
                    super.visitMethodInsn(
                            Opcodes.INVOKEINTERFACE,
                            Type.getInternalName(ObjIntConsumer.class),
                            "accept",
                            "(Ljava/lang/Object;I)V",
                            true);
                }
            };
        }

        private boolean isKnown(int access, String descriptor) {
            return switch (owner) {
                case STREAM -> descriptor.equals("(Ljava/lang/String;Z)V");
                case RANDOM -> descriptor.equals("(Ljava/lang/String;I)V");
                default ->
                        (access & Opcodes.ACC_STATIC) != 0
                                && names(descriptor).containsAll(List.of(PATH, FLAGS));
            };
        }

        /** Without a branch, so that the frames stay as they are. */
        private void arguments(MethodVisitor to, String descriptor) {
            switch (owner) {
                case STREAM -> {
                    to.visitVarInsn(Opcodes.ALOAD, 1);
                    to.visitVarInsn(Opcodes.ILOAD, 2); // append
                }
                case RANDOM -> {
                    to.visitVarInsn(Opcodes.ALOAD, 1);
                    to.visitVarInsn(Opcodes.ILOAD, 2); // of its bits O_RDWR is the second
                    to.visitInsn(Opcodes.ICONST_1);
                    to.visitInsn(Opcodes.ISHR);
                    to.visitInsn(Opcodes.ICONST_1);
                    to.visitInsn(Opcodes.IAND);
                }
                default -> {
                    List<String> parameters = names(descriptor);
                    int flags = parameters.indexOf(FLAGS);
                    to.visitVarInsn(Opcodes.ALOAD, parameters.indexOf(PATH));
                    flag(to, flags, "write");
                    for (String fresh : List.of("truncateExisting", "createNew")) {
                        flag(to, flags, fresh);
                        to.visitInsn(Opcodes.ICONST_1);
                        to.visitInsn(Opcodes.IXOR);
                        to.visitInsn(Opcodes.IAND);
                    }
                }
            }
        }

        private static void flag(MethodVisitor to, int flags, String name) {
            to.visitVarInsn(Opcodes.ALOAD, flags);
            to.visitFieldInsn(Opcodes.GETFIELD, FLAGS, name, "Z");
        }

        /** Of a static method, none of whose parameters takes two variables. */
        private static List<String> names(String descriptor) {
            return Arrays.stream(Type.getArgumentTypes(descriptor))
                    .map(Type::getInternalName)
                    .toList();
        }

        @Override
        public void visitEnd() {
            if (!found) {
                throw new IllegalStateException(
                        "this JDK has in " + owner.replace('/', '.') + " no open as it is known");
            }
            super.visitEnd();
        }
    }
}
