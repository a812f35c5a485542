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
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Writes the hooks of the Hadoop that we are built with during the build, so that its tasks find
 * them done: {@link HookedClasses}.
 */
@InterfaceAudience.Private
public final class WrittenHooks {
    private WrittenHooks() {}

    /**
     * @param arguments the directory of our classes
     * @throws IllegalStateException if this Hadoop's classes aren't as expected
     */
    public static void main(String[] arguments) throws IOException {
        ClassLoader hadoop = WrittenHooks.class.getClassLoader();
        for (String name : HookedClasses.names()) {
            byte[] original = HookedClasses.original(hadoop, name);
            byte[] hooked = original == null ? null : HookWriter.hooked(name, original);
            if (hooked == null) {
                throw new IllegalStateException("no hooks in " + name);
            }
            Path file = Path.of(arguments[0], HookedClasses.written(name, original));
            Files.createDirectories(file.getParent());
            Files.write(file, hooked);
        }
    }
}
