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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.hadoop.clone.seam.KnownBuild;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** On the classes of the Hadoop that we are built with, loaded once more, with their hooks. */
@Timeout(60)
class HookWriterTest {
    @AfterEach
    void noBoundaries() {
        HookWriter.withBoundaries(Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.apache.hadoop.ipc.Client",
                "org.apache.hadoop.hdfs.DFSInputStream",
                "org.apache.hadoop.hdfs.DFSClient",
                "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB",
                "org.apache.hadoop.mapred.MapTask",
                "org.apache.hadoop.mapred.ReduceTask",
                "org.apache.hadoop.mapreduce.task.reduce.Fetcher"
            })
    void writesClassesThatLink(String name) throws Exception {
        assertThat(written(name)).isNotNull();
        assertLinks(name);
    }

    @ParameterizedTest
    @MethodSource("records")
    void writesWhereRecordsBeginOnlyWhenToldTo(Map<String, String> records) throws Exception {
        for (String internal : records.keySet()) {
            String name = internal.replace('/', '.');
            assertThat(again(name)).isNull();

            HookWriter.withBoundaries(records);
            assertThat(new String(again(name), StandardCharsets.ISO_8859_1))
                    .contains("recordBoundary");
            assertLinks(name);

            HookWriter.withBoundaries(Map.of());
            assertThat(again(name)).isNull();
        }
    }

    static Stream<Map<String, String>> records() {
        return Stream.of(HookWriter.MAP_RECORDS, HookWriter.REDUCE_RECORDS);
    }

    /** Ten methods: two have two paths, and one has a path and an array of them. */
    @Test
    void tellsOfEachPathThatTheNameNodeIsToChange() throws Exception {
        List<String> told = new ArrayList<>();
        new ClassReader(
                        written(
                                "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB"))
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access,
                                    String method,
                                    String descriptor,
                                    String signature,
                                    String[] exceptions) {
                                return new MethodVisitor(Opcodes.ASM9) {
                                    @Override
                                    public void visitMethodInsn(
                                            int opcode,
                                            String owner,
                                            String name,
                                            String type,
                                            boolean isInterface) {
                                        if (name.equals("pathChanges")) {
                                            told.add(method + type);
                                        }
                                    }
                                };
                            }
                        },
                        0);
        assertThat(told)
                .containsExactlyInAnyOrder(
                        "create(Ljava/lang/String;)V",
                        "append(Ljava/lang/String;)V",
                        "truncate(Ljava/lang/String;)V",
                        "concat(Ljava/lang/String;)V",
                        "concat([Ljava/lang/String;)V",
                        "mkdirs(Ljava/lang/String;)V",
                        "delete(Ljava/lang/String;)V",
                        "complete(Ljava/lang/String;)V",
                        "recoverLease(Ljava/lang/String;)V",
                        "rename(Ljava/lang/String;)V",
                        "rename(Ljava/lang/String;)V",
                        "rename2(Ljava/lang/String;)V",
                        "rename2(Ljava/lang/String;)V");
    }

    /** The JVM would go on with the class as it is: {@link OriginalsOutput#guard} must know. */
    @Test
    void knowsWhetherChangesAreGuarded() throws Exception {
        String nameNode = HookWriter.NAME_NODE.replace('/', '.');
        HookWriter.withChanges();
        assertThat(transformed(bytes(nameNode))).isNotNull();
        assertThat(HookWriter.isGuarded()).isTrue();
        assertThat(transformed(bytes("org.apache.hadoop.ipc.Server"))).isNull();
        assertThat(HookWriter.isGuarded()).isFalse();
    }

    private static byte[] transformed(byte[] nameNode) {
        return new HookWriter().transform(null, HookWriter.NAME_NODE, null, null, nameNode);
    }

    /** By the build, for the Hadoop that it builds with, and the line before. */
    @Tag("older-hadoop")
    @Test
    void tasksFindThemWritten() throws Exception {
        ClassLoader loader = HookWriterTest.class.getClassLoader();
        assertThat(HookedClasses.names()).contains(HookWriter.CLIENT, HookWriter.FETCHER);
        for (String name : HookedClasses.names()) {
            byte[] original = HookedClasses.original(loader, name);
            String mark = HookedClasses.mark(original);
            assertThat(KnownBuild.markOf(loader, name)).isEqualTo(mark);
            assertThat(loader.getResourceAsStream(HookedClasses.written(name, mark)))
                    .hasBinaryContent(HookWriter.hooked(name, original));
        }
    }

    @Test
    void leavesOthersAlone() throws Exception {
        assertThat(written("org.apache.hadoop.ipc.Server")).isNull();
    }

    /** The JVM has classes without a name: lambdas and the like. */
    @Test
    void leavesNamelessClassesAlone() {
        assertThat(new HookWriter().transform(null, null, null, null, new byte[0])).isNull();
    }

    @Test
    void saysWhatItDoesNotUnderstand() throws Exception {
        byte[] another = bytes("org.apache.hadoop.ipc.Server");
        assertThatThrownBy(() -> HookWriter.hooked("org/apache/hadoop/ipc/Client", another))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("call");
    }

    @Test
    void letsCallsWaitAtAClosedGate() throws Exception {
        assertThat(run(RpcProbe.AtClosedGate.class)).isEqualTo("own call passed, then answered");
    }

    @Test
    void endsACallThatFailsToo() throws Exception {
        assertThat(run(RpcProbe.AfterFailure.class)).isEqualTo("closed");
    }

    @Test
    void tellsOfClients() throws Exception {
        assertThat(run(RpcProbe.Clients.class)).isEqualTo("1 class org.apache.hadoop.ipc.Client");
    }

    private static byte[] written(String name) throws IOException {
        return HookWriter.hooked(name.replace('.', '/'), bytes(name));
    }

    private static byte[] again(String name) throws IOException {
        return new HookWriter().transform(null, name.replace('.', '/'), null, null, bytes(name));
    }

    private static byte[] bytes(String name) throws IOException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = HookWriterTest.class.getClassLoader().getResourceAsStream(file)) {
            return in.readAllBytes();
        }
    }

    private static void assertLinks(String name) throws Exception {
        try (Hooked loader = new Hooked()) {
            assertThatCode(() -> Class.forName(name, true, loader)).doesNotThrowAnyException();
        }
    }

    /** Runs a probe among classes that have their hooks. */
    private static Object run(Class<? extends RpcProbe> probe) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (Hooked loader = new Hooked()) {
            // Hadoop looks for classes that it knows by name there.
            thread.setContextClassLoader(loader);
            Class<?> inside = Class.forName(probe.getName(), true, loader);
            var constructor = inside.getDeclaredConstructor();
            constructor.setAccessible(true);
            return ((Callable<?>) constructor.newInstance()).call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Loads everything anew, as a JVM with our agent does. */
    private static final class Hooked extends URLClassLoader {
        private final HookWriter writer = new HookWriter();

        Hooked() {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try {
                String internal = name.replace('.', '/');
                URL found = findResource(internal + ".class");
                if (found == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes;
                try (InputStream in = found.openStream()) {
                    bytes = in.readAllBytes();
                }
                byte[] written =
                        List.of(HookedClasses.names()).contains(internal)
                                ? HookWriter.hooked(internal, bytes)
                                : writer.transform(this, internal, null, null, bytes);
                byte[] used = written == null ? bytes : written;
                return defineClass(name, used, 0, used.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        private static URL[] classPath() {
            return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(entry -> url(new File(entry).toURI()))
                    .toArray(URL[]::new);
        }

        private static URL url(URI uri) {
            try {
                return uri.toURL();
            } catch (MalformedURLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
