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

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.util.StringUtils;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the calls of {@link TaskHooks} into a few of Hadoop's classes before they are loaded,
 * since Hadoop has no extension point that every RPC passes. The record readers get theirs only
 * while a clone is being prepared, so that nothing is on the path of a record otherwise.
 */
final class HookWriter implements ClassFileTransformer {
    static final String NEW_RECORDS = "org/apache/hadoop/mapred/MapTask$NewTrackingRecordReader";
    static final String OLD_RECORDS = "org/apache/hadoop/mapred/MapTask$TrackedRecordReader";
    static final String MERGED_RECORDS = "org/apache/hadoop/mapred/Merger$MergeQueue";

    /** Classes and methods that a map's thread begins its next record with, by either API. */
    static final Map<String, String> MAP_RECORDS =
            Map.of(
                    NEW_RECORDS,
                    "nextKeyValue()Z",
                    OLD_RECORDS,
                    "next(Ljava/lang/Object;Ljava/lang/Object;)Z");

    /** The same of a reduce: whatever iterates over its values ends here. */
    static final Map<String, String> REDUCE_RECORDS = Map.of(MERGED_RECORDS, "next()Z");

    private static final String HOOKS = "org/apache/hadoop/clone/task/TaskHooks";
    static final String CLIENT = "org/apache/hadoop/ipc/Client";
    static final String STREAM = "org/apache/hadoop/hdfs/DFSInputStream";
    static final String HDFS_CLIENT = "org/apache/hadoop/hdfs/DFSClient";
    static final String NAME_NODE =
            "org/apache/hadoop/hdfs/protocolPB/ClientNamenodeProtocolTranslatorPB";
    static final String MAP_TASK = "org/apache/hadoop/mapred/MapTask";
    static final String REDUCE_TASK = "org/apache/hadoop/mapred/ReduceTask";
    static final String FETCHER = "org/apache/hadoop/mapreduce/task/reduce/Fetcher";
    private static final String MAP_HOST = "org/apache/hadoop/mapreduce/task/reduce/MapHost";

    /** All public forms of {@code Client.call} end in this one. */
    private static final String CALL =
            "(Lorg/apache/hadoop/ipc/RPC$RpcKind;Lorg/apache/hadoop/io/Writable;"
                    + "Lorg/apache/hadoop/ipc/Client$ConnectionId;I"
                    + "Ljava/util/concurrent/atomic/AtomicBoolean;"
                    + "Lorg/apache/hadoop/ipc/AlignmentContext;)Lorg/apache/hadoop/io/Writable;";

    /** The gate around all RPCs. */
    private static final Bracket GATED_CALL =
            new Bracket(
                    CLIENT,
                    "call",
                    CALL,
                    List.of(
                            CLIENT,
                            "org/apache/hadoop/ipc/RPC$RpcKind",
                            "org/apache/hadoop/io/Writable",
                            "org/apache/hadoop/ipc/Client$ConnectionId",
                            Opcodes.INTEGER,
                            "java/util/concurrent/atomic/AtomicBoolean",
                            "org/apache/hadoop/ipc/AlignmentContext"),
                    Opcodes.ARETURN,
                    "callBegins",
                    "callEnds");

    /** Another gate around requests of map outputs. */
    private static final Bracket GATED_FETCH =
            new Bracket(
                    FETCHER,
                    "copyFromHost",
                    "(L" + MAP_HOST + ";)V",
                    List.of(FETCHER, MAP_HOST),
                    Opcodes.RETURN,
                    "fetchBegins",
                    "fetchEnds");

    /** Where one output of a request begins: a way out between two of them. */
    private static final Set<String> FETCHED_OUTPUT = Set.of("copyMapOutput");

    private static final String TASK_RUN =
            "(Lorg/apache/hadoop/mapred/JobConf;Lorg/apache/hadoop/mapred/TaskUmbilicalProtocol;)V";

    /** What a reduce does after its shuffle, by either API. */
    private static final Set<String> REDUCERS = Set.of("runNewReducer", "runOldReducer");

    /**
     * By which a client has the NameNode change paths, and how many of their first parameters name
     * some. What {@code concat} appends to a file is gone afterwards; {@code recoverLease} closes
     * what another one writes.
     */
    private static final Map<String, Integer> CHANGES =
            Map.of(
                    "create",
                    1,
                    "append",
                    1,
                    "truncate",
                    1,
                    "concat",
                    2,
                    "mkdirs",
                    1,
                    "rename",
                    2,
                    "rename2",
                    2,
                    "delete",
                    1,
                    "complete",
                    1,
                    "recoverLease",
                    1);

    /** One path, or some. */
    private static final Set<String> PATHS = Set.of("Ljava/lang/String;", "[Ljava/lang/String;");

    private static volatile Map<String, String> boundaries = Map.of();
    private static volatile boolean changes;
    private static volatile boolean guarded;

    /**
     * Which methods of which classes, when they are transformed again, get the hook at records.
     *
     * @param records by the classes' internal names; empty for none
     */
    static void withBoundaries(Map<String, String> records) {
        boundaries = records;
    }

    /** {@link #NAME_NODE}, when it is transformed again, gets the hook where paths are changed. */
    static void withChanges() {
        guarded = false;
        changes = true;
    }

    /** Whether it got that hook when it was transformed last. */
    static boolean isGuarded() {
        return guarded;
    }

    @Override
    public byte[] transform(
            ClassLoader loader,
            String name,
            Class<?> redefined,
            ProtectionDomain domain,
            byte[] bytes) {
        if (changes && NAME_NODE.equals(name)) {
            guarded = false; // whatever ends this
            byte[] written = rewritten(name, bytes, null);
            guarded = written != null;
            return written;
        }
        String method = name == null ? null : boundaries.get(name);
        return method == null ? null : rewritten(name, bytes, method);
    }

    /**
     * The class with its hooks, whenever it has them.
     *
     * @param name internal
     * @return null if it has none
     * @throws IllegalStateException if it isn't as expected
     */
    static byte[] hooked(String name, byte[] bytes) {
        String records = MAP_RECORDS.getOrDefault(name, REDUCE_RECORDS.get(name));
        return written(name, bytes, records);
    }

    /** An exception would be swallowed by the JVM, and the class loaded as it is. */
    private static byte[] rewritten(String name, byte[] bytes, String records) {
        try {
            return written(name, bytes, records);
        } catch (RuntimeException e) {
            logger().error("Can't add hooks to {}: {}", name, StringUtils.stringifyException(e));
            return null;
        }
    }

    /** No lambdas here: making them takes a JVM that starts longer than all else in this class. */
    private static byte[] written(String name, byte[] bytes, String records) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        ClassVisitor hooks = records == null ? hooks(name, writer) : new AtRecords(writer, records);
        if (hooks == null) {
            return null;
        }
        reader.accept(hooks, 0);
        return writer.toByteArray();
    }

    private static ClassVisitor hooks(String name, ClassVisitor to) {
        return switch (name) {
            case CLIENT -> new InConstructors(new InBrackets(to, GATED_CALL), "clientMade");
            case STREAM -> new InConstructors(to, "streamOpened");
            case HDFS_CLIENT -> new InConstructors(to, "hdfsClientMade");
            case MAP_TASK -> new AtStart(to, "mapStarts");
            // Tells of a reduce that begins, and where its shuffle has ended.
            case REDUCE_TASK ->
                    new AtStart(new AtMethods(to, REDUCERS, "shuffleEnds"), "reduceStarts");
            case FETCHER ->
                    new AtMethods(new InBrackets(to, GATED_FETCH), FETCHED_OUTPUT, "outputBegins");
            case NAME_NODE -> new AtChanges(to);
            default -> null;
        };
    }

    /** Not in a field: only a Hadoop that we don't know needs it. */
    private static Logger logger() {
        return LoggerFactory.getLogger(HookWriter.class);
    }

    private static void require(boolean found, String method) {
        if (!found) {
            throw new IllegalStateException("no " + method + " as it is known");
        }
    }

    private static void hook(MethodVisitor to, String name, String descriptor) {
        to.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, name, descriptor, false);
    }

    /** Tells a hook of each new object. */
    private static final class InConstructors extends ClassVisitor {
        private final String hook;

        InConstructors(ClassVisitor to, String hook) {
            super(Opcodes.ASM9, to);
            this.hook = hook;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
            return name.equals("<init>") ? new BeforeReturn(to, hook) : to;
        }
    }

    private static final class BeforeReturn extends MethodVisitor {
        private final String hook;

        BeforeReturn(MethodVisitor to, String hook) {
            super(Opcodes.ASM9, to);
            this.hook = hook;
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN) {
                super.visitVarInsn(Opcodes.ALOAD, 0);
                hook(mv, hook, "(Ljava/lang/Object;)V");
            }
            super.visitInsn(opcode);
        }
    }

    /** Puts hooks before and after a method, which must be there. */
    private static final class InBrackets extends ClassVisitor {
        private final Bracket bracket;
        private boolean found;

        InBrackets(ClassVisitor to, Bracket bracket) {
            super(Opcodes.ASM9, to);
            this.bracket = bracket;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (!bracket.isAround(name, descriptor)) {
                return to;
            }
            found = true;
            bracket.write(to);
            return super.visitMethod(
                    Opcodes.ACC_PRIVATE, bracket.inner(), descriptor, signature, exceptions);
        }

        @Override
        public void visitEnd() {
            require(found, bracket.toString());
            super.visitEnd();
        }
    }

    /**
     * A method between two hooks: it gets another name, and one of its own name calls it.
     *
     * @param locals what the method's local variables hold at its beginning, the object first
     * @param result instruction by which it returns
     */
    private record Bracket(
            String owner,
            String name,
            String descriptor,
            List<Object> locals,
            int result,
            String before,
            String after) {
        boolean isAround(String method, String described) {
            return method.equals(name) && described.equals(descriptor);
        }

        String inner() {
            return name + "$ungated";
        }

        @Override
        public String toString() {
            return owner + "." + name + descriptor;
        }

        void write(MethodVisitor to) {
            Label begin = new Label();
            Label end = new Label();
            Label failed = new Label();
            to.visitCode();
            to.visitTryCatchBlock(begin, end, failed, null);
            hook(to, before, "()V");
            to.visitLabel(begin);
            for (int local = 0; local < locals.size(); local++) {
                to.visitVarInsn(
                        locals.get(local) == Opcodes.INTEGER ? Opcodes.ILOAD : Opcodes.ALOAD,
                        local);
            }
            to.visitMethodInsn(Opcodes.INVOKEVIRTUAL, owner, inner(), descriptor, false);
            to.visitLabel(end);
            hook(to, after, "()V");
            to.visitInsn(result);
            to.visitLabel(failed);
            to.visitFrame(
                    Opcodes.F_FULL,
                    locals.size(),
                    locals.toArray(),
                    1,
                    new Object[] {"java/lang/Throwable"});
            hook(to, after, "()V");
            to.visitInsn(Opcodes.ATHROW);
            to.visitMaxs(0, 0);
            to.visitEnd();
        }
    }

    /** Calls a hook before anything else. */
    private static final class AtBeginning extends MethodVisitor {
        private final String hook;

        AtBeginning(MethodVisitor to, String hook) {
            super(Opcodes.ASM9, to);
            this.hook = hook;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            hook(mv, hook, "()V");
        }
    }

    /** Tells of the task and its configuration when it begins. */
    private static final class AtStart extends ClassVisitor {
        private final String hook;
        private boolean found;

        AtStart(ClassVisitor to, String hook) {
            super(Opcodes.ASM9, to);
            this.hook = hook;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (!name.equals("run") || !descriptor.equals(TASK_RUN)) {
                return to;
            }
            found = true;
            return new MethodVisitor(Opcodes.ASM9, to) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    super.visitVarInsn(Opcodes.ALOAD, 0);
                    super.visitVarInsn(Opcodes.ALOAD, 1);
                    hook(mv, hook, "(Ljava/lang/Object;Lorg/apache/hadoop/mapred/JobConf;)V");
                }
            };
        }

        @Override
        public void visitEnd() {
            require(found, "run" + TASK_RUN);
            super.visitEnd();
        }
    }

    /** Calls a hook at the beginning of methods that must be there, each once. */
    private static final class AtMethods extends ClassVisitor {
        private final Set<String> methods;
        private final String hook;
        private int found;

        AtMethods(ClassVisitor to, Set<String> methods, String hook) {
            super(Opcodes.ASM9, to);
            this.methods = methods;
            this.hook = hook;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (!methods.contains(name)) {
                return to;
            }
            found++;
            return new AtBeginning(to, hook);
        }

        @Override
        public void visitEnd() {
            require(found == methods.size(), methods.toString());
            super.visitEnd();
        }
    }

    /** Tells of each path that is about to be changed. All the methods must be there. */
    private static final class AtChanges extends ClassVisitor {
        private final Set<String> missing = new HashSet<>(CHANGES.keySet());

        AtChanges(ClassVisitor to) {
            super(Opcodes.ASM9, to);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (!CHANGES.containsKey(name)) {
                return to;
            }
            Type[] all = Type.getArgumentTypes(descriptor);
            Type[] paths = Arrays.copyOf(all, Math.min(all.length, CHANGES.get(name)));
            require(
                    paths.length == CHANGES.get(name)
                            && Arrays.stream(paths)
                                    .map(Type::getDescriptor)
                                    .allMatch(PATHS::contains),
                    name + descriptor);
            missing.remove(name);
            return new AtPaths(to, paths);
        }

        @Override
        public void visitEnd() {
            require(missing.isEmpty(), missing.toString());
            super.visitEnd();
        }
    }

    /** Tells of the paths, or arrays of them, that are the first parameters of a method. */
    private static final class AtPaths extends MethodVisitor {
        private final Type[] paths;

        AtPaths(MethodVisitor to, Type[] paths) {
            super(Opcodes.ASM9, to);
            this.paths = paths;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            for (int path = 0; path < paths.length; path++) {
                super.visitVarInsn(Opcodes.ALOAD, 1 + path);
                hook(mv, "pathChanges", Type.getMethodDescriptor(Type.VOID_TYPE, paths[path]));
            }
        }
    }

    /** Passes {@link RecordBoundary} at the beginning of the method that gets the next record. */
    private static final class AtRecords extends ClassVisitor {
        private final String method;
        private boolean found;

        /**
         * @param method with its descriptor
         */
        AtRecords(ClassVisitor to, String method) {
            super(Opcodes.ASM9, to);
            this.method = method;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (!method.equals(name + descriptor)) {
                return to;
            }
            found = true;
            return new AtBeginning(to, "recordBoundary");
        }

        @Override
        public void visitEnd() {
            require(found, method);
            super.visitEnd();
        }
    }
}
