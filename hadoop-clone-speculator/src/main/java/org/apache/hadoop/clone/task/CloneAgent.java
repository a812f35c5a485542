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

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.management.JMException;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The Java agent of task JVMs, loaded by the task itself when it is first to be cloned: a JVM with
 * an agent from its beginning pays for it with every class that it loads.
 */
@InterfaceAudience.Private
public final class CloneAgent {
    /** System property: the jar whose manifest names this class. */
    static final String JAR = "clone.agent.jar";

    private static volatile Instrumentation instrumentation;

    private CloneAgent() {}

    /** Called by the JVM, in the thread that loads the agent. */
    public static void agentmain(String arguments, Instrumentation given) {
        given.addTransformer(new HookWriter(), true);
        instrumentation = given;
    }

    /**
     * By the thread that carries out orders, at the first of which it takes some 100 ms.
     *
     * @throws IllegalStateException if this JVM loads no agents
     */
    static Instrumentation instrumentation() {
        if (instrumentation == null) {
            String jar = System.getProperty(JAR);
            try {
                Optional<String> said = DiagnosticCommand.loadAgent(jar);
                if (instrumentation == null) {
                    throw new IllegalStateException(
                            "this JVM can't load the agent "
                                    + jar
                                    + ": "
                                    + said.orElse("it says nothing"));
                }
            } catch (JMException e) {
                throw new IllegalStateException("this JVM can't load the agent " + jar, e);
            }
        }
        return instrumentation;
    }

    /**
     * Has a package of the JDK's open to this class's module.
     *
     * @param type of that package
     */
    static void open(Instrumentation agent, Class<?> type) {
        agent.redefineModule(
                type.getModule(),
                Set.of(),
                Map.of(),
                Map.of(type.getPackageName(), Set.of(CloneAgent.class.getModule())),
                Set.of(),
                Map.of());
    }

    /**
     * Has {@link HookWriter} write these classes anew; those that aren't loaded yet it writes when
     * they are.
     *
     * @param names internal
     */
    static void retransform(Set<String> names) throws UnmodifiableClassException {
        Class<?>[] loaded =
                Arrays.stream(instrumentation().getAllLoadedClasses())
                        .filter(type -> names.contains(type.getName().replace('.', '/')))
                        .toArray(Class<?>[]::new);
        if (loaded.length > 0) {
            instrumentation().retransformClasses(loaded);
        }
    }
}
