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

import java.lang.management.ManagementFactory;
import java.util.Optional;
import javax.management.JMException;
import javax.management.ObjectName;

/** What {@code jcmd} asks of a JVM, asked by the JVM of itself: nothing needs to attach to it. */
final class DiagnosticCommand {
    private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";
    private static final Object[] NO_ARGUMENTS = {};
    private static final String[] NO_TYPES = {};
    private static final String[] WORDS = {String[].class.getName()};

    private DiagnosticCommand() {}

    /** {@code malloc_trim}: the C library gives back what is free in its arenas. */
    static void trimNativeHeap() throws JMException {
        invoke("systemTrimNativeHeap", NO_ARGUMENTS, NO_TYPES);
    }

    /**
     * Loads a Java agent, whose {@code agentmain} has ended afterwards.
     *
     * @return what the JVM says, if it says anything
     */
    static Optional<String> loadAgent(String jar) throws JMException {
        Object said = invoke("jvmtiAgentLoad", new Object[] {new String[] {jar}}, WORDS);
        return Optional.ofNullable(said).map(Object::toString).map(String::strip);
    }

    private static Object invoke(String command, Object[] arguments, String[] types)
            throws JMException {
        return ManagementFactory.getPlatformMBeanServer()
                .invoke(new ObjectName(COMMANDS), command, arguments, types);
    }
}
