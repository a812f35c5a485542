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
package org.clonehadoop.benchmarks.straggler;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Makes tasks straggle of which nobody can choose mapper, reducer or options, such as a foreign
 * benchmark's. A Java agent for tasks' JVMs, by {@code mapreduce.admin.map.child.java.opts} and its
 * like for reduces:
 *
 * <pre>{@code -javaagent:/path/benchmarks.jar=attempts=m_000001_0=300/after-records=1000}</pre>
 *
 * Options are {@link Slowdown}'s keys without their prefix, with a slash between two of them, since
 * a launch command goes through a shell. The jar finds ASM in {@code lib} beside it.
 */
public final class StragglerAgent implements ClassFileTransformer {
    private static final String STRAGGLING = Type.getInternalName(Straggling.class);
    private static final String TASK = "org/apache/hadoop/mapred/Task";

    /** Where a task gets its records and its values, by either programming interface. */
    private static final Map<String, Site> SITES =
            Map.of(
                    TASK,
                    new Site("setConf", "begin"),
                    "org/apache/hadoop/mapreduce/task/MapContextImpl",
                    new Site("nextKeyValue", "afterRecord"),
                    "org/apache/hadoop/mapred/MapTask$TrackedRecordReader",
                    new Site("next", "afterRecord"),
                    "org/apache/hadoop/mapreduce/task/ReduceContextImpl",
                    new Site("nextKeyValue", "afterValue"),
                    "org/apache/hadoop/mapred/Task$ValuesIterator",
                    new Site("next", "afterValue"));

    /** A method of Hadoop's, and {@link Straggling}'s that is called where it returns. */
    private record Site(String method, String call) {}

    private StragglerAgent() {}

    /**
     * Called by the JVM before the task's own main method.
     *
     * @throws IllegalArgumentException if an option is unknown, or its value is no number. The JVM
     *     ends with it
     */
    public static void premain(String options, Instrumentation instrumentation) {
        Straggling.by(new Slowdown(configuration(options)));
        instrumentation.addTransformer(new StragglerAgent());
    }

    static Configuration configuration(String options) {
        Configuration configuration = new Configuration(false);
        if (options != null) {
            for (String option : options.split("/")) {
                String[] parts = option.split("=", 2);
                String key = Slowdown.PREFIX + parts[0];
                if (parts.length != 2 || !Slowdown.KEYS.contains(key)) {
                    throw new IllegalArgumentException(
                            "the straggler agent knows no option '" + option + "'");
                }
                configuration.set(key, parts[1]);
            }
        }
        return configuration;
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
        Site site = name == null ? null : SITES.get(name);
        return site == null ? null : calling(site, bytes, name.equals(TASK));
    }

    // A call that takes nothing, and needs one word more of stack at most, changes no frame.
    private static byte[] calling(Site site, byte[] bytes, boolean withTask) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            String signature,
                            String[] exceptions) {
                        MethodVisitor next =
                                super.visitMethod(access, name, descriptor, signature, exceptions);
                        return name.equals(site.method) && (access & Opcodes.ACC_SYNTHETIC) == 0
                                ? new Calling(next, site.call, withTask)
                                : next;
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static final class Calling extends MethodVisitor {
        private final String call;
        private final boolean withTask;

        Calling(MethodVisitor next, String call, boolean withTask) {
            super(Opcodes.ASM9, next);
            this.call = call;
            this.withTask = withTask;
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                if (withTask) {
                    super.visitVarInsn(Opcodes.ALOAD, 0);
                }
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC,
                        STRAGGLING,
                        call,
                        withTask ? "(L" + TASK + ";)V" : "()V",
                        false);
            }
            super.visitInsn(opcode);
        }
    }
}
