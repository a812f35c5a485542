package org.apache.hadoop.clone.task;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.apache.hadoop.util.StringUtils;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the calls of {@link TaskHooks} into a few of Hadoop's classes while they are loaded, since
 * Hadoop has no extension point that every RPC passes. The record readers get theirs only while a
 * clone is being prepared, so that nothing is on the path of a record otherwise.
 */
final class HookWriter implements ClassFileTransformer {
    private static final String NEW_READER =
            "org/apache/hadoop/mapred/MapTask$NewTrackingRecordReader";
    private static final String OLD_READER = "org/apache/hadoop/mapred/MapTask$TrackedRecordReader";

    private static final String HOOKS = "org/apache/hadoop/clone/task/TaskHooks";
    private static final String CLIENT = "org/apache/hadoop/ipc/Client";
    private static final String STREAM = "org/apache/hadoop/hdfs/DFSInputStream";
    private static final String MAP_TASK = "org/apache/hadoop/mapred/MapTask";

    /** All public forms of {@code Client.call} end in this one. */
    private static final String CALL =
            "(Lorg/apache/hadoop/ipc/RPC$RpcKind;Lorg/apache/hadoop/io/Writable;"
                    + "Lorg/apache/hadoop/ipc/Client$ConnectionId;I"
                    + "Ljava/util/concurrent/atomic/AtomicBoolean;"
                    + "Lorg/apache/hadoop/ipc/AlignmentContext;)Lorg/apache/hadoop/io/Writable;";

    private static final String MAP_RUN =
            "(Lorg/apache/hadoop/mapred/JobConf;Lorg/apache/hadoop/mapred/TaskUmbilicalProtocol;)V";

    private static volatile boolean boundaries;

    /** Whether record readers, when they are transformed again, get their hook. */
    static void withBoundaries(boolean wanted) {
        boundaries = wanted;
    }

    /** Whether the class is one of those with a hook only at times. */
    static boolean isReader(Class<?> type) {
        String name = type.getName().replace('.', '/');
        return name.equals(NEW_READER) || name.equals(OLD_READER);
    }

    @Override
    public byte[] transform(
            ClassLoader loader,
            String name,
            Class<?> redefined,
            ProtectionDomain domain,
            byte[] bytes) {
        if (name == null) {
            return null;
        }
        try {
            return switch (name) {
                case CLIENT -> written(bytes, GatedClient::new);
                case STREAM -> written(bytes, to -> new InConstructors(to, "streamOpened"));
                case MAP_TASK -> written(bytes, MapStart::new);
                case NEW_READER ->
                        boundaries
                                ? written(bytes, to -> new AtRecords(to, "nextKeyValue", "()Z"))
                                : null;
                case OLD_READER ->
                        boundaries
                                ? written(
                                        bytes,
                                        to ->
                                                new AtRecords(
                                                        to,
                                                        "next",
                                                        "(Ljava/lang/Object;Ljava/lang/Object;)Z"))
                                : null;
                default -> null;
            };
        } catch (RuntimeException e) {
            // An exception would be swallowed by the JVM, and the class loaded as it is.
            logger().error("Can't add hooks to {}: {}", name, StringUtils.stringifyException(e));
            return null;
        }
    }

    /** Not in a field: a logger must not be made before main has set logging up. */
    private static Logger logger() {
        return LoggerFactory.getLogger(HookWriter.class);
    }

    private interface Visitor {
        ClassVisitor onto(ClassWriter writer);
    }

    private static byte[] written(byte[] bytes, Visitor visitor) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(visitor.onto(writer), 0);
        return writer.toByteArray();
    }

    private static void hook(MethodVisitor to, String name, String descriptor) {
        to.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, name, descriptor, false);
    }

    /** Tells a hook of each new object. */
    private static class InConstructors extends ClassVisitor {
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

    /** Puts the gate around {@link #CALL}: the method gets another name, and a new one calls it. */
    private static final class GatedClient extends InConstructors {
        private static final String UNGATED = "call$ungated";
        private static final Object[] LOCALS = {
            CLIENT,
            "org/apache/hadoop/ipc/RPC$RpcKind",
            "org/apache/hadoop/io/Writable",
            "org/apache/hadoop/ipc/Client$ConnectionId",
            Opcodes.INTEGER,
            "java/util/concurrent/atomic/AtomicBoolean",
            "org/apache/hadoop/ipc/AlignmentContext"
        };

        private boolean found;

        GatedClient(ClassVisitor to) {
            super(to, "clientMade");
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            if (name.equals("call") && descriptor.equals(CALL)) {
                found = true;
                writeGated(super.visitMethod(access, name, descriptor, signature, exceptions));
                return super.visitMethod(
                        Opcodes.ACC_PRIVATE, UNGATED, descriptor, signature, exceptions);
            }
            return super.visitMethod(access, name, descriptor, signature, exceptions);
        }

        @Override
        public void visitEnd() {
            if (!found) {
                throw new IllegalStateException("this Hadoop has no Client.call" + CALL);
            }
            super.visitEnd();
        }

        private static void writeGated(MethodVisitor to) {
            Label begin = new Label();
            Label end = new Label();
            Label failed = new Label();
            to.visitCode();
            to.visitTryCatchBlock(begin, end, failed, null);
            hook(to, "callBegins", "()V");
            to.visitLabel(begin);
            to.visitVarInsn(Opcodes.ALOAD, 0);
            for (int local = 1; local < LOCALS.length; local++) {
                to.visitVarInsn(
                        LOCALS[local] == Opcodes.INTEGER ? Opcodes.ILOAD : Opcodes.ALOAD, local);
            }
            to.visitMethodInsn(Opcodes.INVOKEVIRTUAL, CLIENT, UNGATED, CALL, false);
            to.visitLabel(end);
            hook(to, "callEnds", "()V");
            to.visitInsn(Opcodes.ARETURN);
            to.visitLabel(failed);
            to.visitFrame(
                    Opcodes.F_FULL, LOCALS.length, LOCALS, 1, new Object[] {"java/lang/Throwable"});
            hook(to, "callEnds", "()V");
            to.visitInsn(Opcodes.ATHROW);
            to.visitMaxs(0, 0);
            to.visitEnd();
        }
    }

    /** Tells of the task and its configuration when a map begins. */
    private static final class MapStart extends ClassVisitor {
        MapStart(ClassVisitor to) {
            super(Opcodes.ASM9, to);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (!name.equals("run") || !descriptor.equals(MAP_RUN)) {
                return to;
            }
            return new MethodVisitor(Opcodes.ASM9, to) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    super.visitVarInsn(Opcodes.ALOAD, 0);
                    super.visitVarInsn(Opcodes.ALOAD, 1);
                    hook(
                            mv,
                            "mapStarts",
                            "(Ljava/lang/Object;Lorg/apache/hadoop/mapred/JobConf;)V");
                }
            };
        }
    }

    /** Passes {@link RecordBoundary} at the beginning of a record reader's method. */
    private static final class AtRecords extends ClassVisitor {
        private final String method;
        private final String descriptor;

        AtRecords(ClassVisitor to, String method, String descriptor) {
            super(Opcodes.ASM9, to);
            this.method = method;
            this.descriptor = descriptor;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String described, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, described, signature, exceptions);
            if (!name.equals(method) || !described.equals(descriptor)) {
                return to;
            }
            return new MethodVisitor(Opcodes.ASM9, to) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    hook(mv, "recordBoundary", "()V");
                }
            };
        }
    }
}
