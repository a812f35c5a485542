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
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.apache.hadoop.clone.seam.AlteredHadoop;

/**
 * An agent of a job's own, of which neither a build nor the beginning of a task knows: it makes
 * another of a class that gets its hooks later.
 */
public final class AlteringAgent implements ClassFileTransformer {
    /** Called by the JVM. */
    public static void premain(String arguments, Instrumentation given) {
        given.addTransformer(new AlteringAgent());
    }

    @Override
    public byte[] transform(
            ClassLoader loader,
            String name,
            Class<?> redefined,
            ProtectionDomain domain,
            byte[] bytes) {
        return HookWriter.NAME_NODE.equals(name) ? AlteredHadoop.without(bytes, "rename2") : null;
    }
}
