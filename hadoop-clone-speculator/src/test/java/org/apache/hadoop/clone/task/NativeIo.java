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

import java.io.File;
import java.nio.file.Path;

/** Hadoop's native library, made by the module {@code native-io}, for JVMs that tests start. */
final class NativeIo {
    private static final Path MADE = Path.of("../native-io/target").toAbsolutePath().normalize();

    /** An option of such a JVM. */
    static final String LIBRARY_PATH = "-Djava.library.path=" + MADE;

    private NativeIo() {}

    /** That class path, and what the library needs there. */
    static String with(String classPath) {
        return classPath + File.pathSeparator + MADE.resolve("native-io.jar");
    }
}
