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
package org.apache.hadoop.mapred;

import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.task.TaskHooks;

/**
 * A task's JVM that can be cloned: Hadoop's YarnChild, whose name and arguments follow, among
 * classes that have hooks. Here because YarnChild can be seen in this package only.
 */
@InterfaceAudience.Private
public final class CloneableChild {
    private static final int ATTEMPT = 3;

    private CloneableChild() {}

    /** As {@code YarnChild.main}. */
    public static void main(String[] arguments) throws Throwable {
        TaskHooks.install(arguments[ATTEMPT]);
        YarnChild.main(Arrays.copyOfRange(arguments, 1, arguments.length));
    }
}
