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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.seam.Shape.Member;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Reads out of our own classes what of Hadoop's they need, during the build: what they call and
 * override, the hidden fields and methods that they name, and the frames of stacks that they know.
 */
@InterfaceAudience.Private
public final class ShapeWriter extends ClassVisitor {
    private static final String HADOOP = "org/apache/hadoop/";

    /** Libraries of Hadoop's, which has them under names of its own. */
    private static final String LIBRARIES = HADOOP + "thirdparty/";

    private static final Set<String> HIDDEN =
            Set.of(
                    "org/apache/hadoop/clone/seam/HiddenField",
                    "org/apache/hadoop/clone/seam/HiddenMethod");

    private static final int HIDDEN_CONSTANTS = 3;

    private final ClassLoader loader;
    private final Path classes;
    private final Set<String> lines = new TreeSet<>();
    private Class<?>[] superTypes;

    private ShapeWriter(ClassLoader loader, Path classes) {
        super(Opcodes.ASM9);
        this.loader = loader;
        this.classes = classes;
    }

    /**
     * @param arguments the directory of our classes; then for each list its name, and a pattern of
     *     the names of classes whose needs are in it
     */
    public static void main(String[] arguments) throws IOException {
        Path classes = Path.of(arguments[0]);
        for (int i = 1; i < arguments.length; i += 2) {
            Pattern pattern = Pattern.compile("(" + arguments[i + 1] + ")\\.class");
            ShapeWriter writer = new ShapeWriter(ShapeWriter.class.getClassLoader(), classes);
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    String name = classes.relativize(file).toString();
                    if (pattern.matcher(name).matches()) {
                        new ClassReader(Files.readAllBytes(file)).accept(writer, 0);
                    }
                }
            }
            Path list = classes.resolve(Shape.resource(arguments[i]));
            Files.createDirectories(list.getParent());
            Files.write(list, writer.lines);
        }
    }

    private boolean isHadoops(String name) {
        return name.startsWith(HADOOP)
                && !name.startsWith(LIBRARIES)
                && !name.startsWith(HADOOP + "clone/")
                && !name.endsWith("Door") // ours, in Hadoop's packages
                && !isOurs(name);
    }

    private void needs(String owner, String name, String descriptor) {
        if (owner != null && isHadoops(owner)) {
            lines.add(new Member(owner, name, descriptor).toLine());
        } else if (owner != null && isOurs(owner) && !name.isEmpty()) {
            inherited(load(owner), name, descriptor);
        }
    }

    private boolean isOurs(String name) {
        return Files.exists(classes.resolve(name + ".class"));
    }

    /** What a class of ours has of one of Hadoop's is called by our class's name. */
    private void inherited(Class<?> ours, String name, String descriptor) {
        if (Shape.declared(ours).contains(name + descriptor)) {
            return;
        }
        Class<?> parent = ours.getSuperclass();
        if (parent != null) {
            needs(Type.getInternalName(parent), name, descriptor);
        }
    }

    /** A thread is judged by what it is in the midst of: a name of nothing would judge wrongly. */
    private void needsFrame(String text) {
        int dot = text.lastIndexOf('.');
        String owner = text.substring(0, Math.max(dot, 0)).replace('.', '/');
        if (isHadoops(owner) && loader.getResource(owner + ".class") != null) {
            needs(owner, text.substring(dot + 1), Shape.FRAME);
        }
    }

    private void needsType(String name) {
        needs(name, "", "");
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            String signature,
            String superName,
            String[] interfaces) {
        needsType(superName);
        for (String type : interfaces) {
            needsType(type);
        }
        superTypes =
                Stream.concat(Stream.of(superName), Stream.of(interfaces))
                        .filter(this::isHadoops)
                        .map(this::load)
                        .toArray(Class<?>[]::new);
    }

    private Class<?> load(String name) {
        try {
            return Class.forName(name.replace('/', '.'), false, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        if ((access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0 && !name.equals("<init>")) {
            for (Class<?> type : superTypes) {
                overridden(type, name, descriptor);
            }
        }
        return new References();
    }

    /** Of another form there it wouldn't be overridden at all, and nobody would say so. */
    private void overridden(Class<?> type, String name, String descriptor) {
        for (Class<?> of = type; of != null; of = of.getSuperclass()) {
            if (Shape.declared(of).contains(name + descriptor)) {
                needs(Type.getInternalName(type), name, descriptor);
            }
        }
    }

    private final class References extends MethodVisitor {
        private final Deque<String> constants = new ArrayDeque<>();

        References() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (HIDDEN.contains(owner) && name.equals("of")) {
                String[] last = constants.toArray(new String[0]);
                needs(last[0], last[1], last[2]);
            }
            needs(owner, name, descriptor);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            needs(owner, name, descriptor);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            needsType(Type.getObjectType(type).getClassName().replace('.', '/').replace("[]", ""));
        }

        @Override
        public void visitLdcInsn(Object value) {
            if (value instanceof String text) {
                needsFrame(text);
                constants.addLast(text);
                if (constants.size() > HIDDEN_CONSTANTS) {
                    constants.removeFirst();
                }
            } else if (value instanceof Type type && type.getSort() == Type.OBJECT) {
                needsType(type.getInternalName());
            }
        }

        @Override
        public void visitInvokeDynamicInsn(
                String name, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle handle) {
                    needs(handle.getOwner(), handle.getName(), handle.getDesc());
                }
            }
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
            needsType(type);
        }
    }
}
