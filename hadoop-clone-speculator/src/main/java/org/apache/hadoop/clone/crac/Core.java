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
package org.apache.hadoop.clone.crac;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;

/** As {@code org.crac.Core}. */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public final class Core {
    /** System property by which {@code org.crac} is told which package to use. */
    private static final String PROPERTY = "org.crac.Core.Compat";

    private static final Context GLOBAL = new Context();

    private Core() {}

    /** Makes this package the one that {@code org.crac} uses, unless somebody chose another. */
    public static void offer() {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, Core.class.getPackageName());
        }
    }

    public static Context getGlobalContext() {
        return GLOBAL;
    }

    /**
     * @throws UnsupportedOperationException always: the AppMaster orders clones, not the task
     */
    public static void checkpointRestore() {
        throw new UnsupportedOperationException("a task is cloned when its AppMaster orders it");
    }
}
