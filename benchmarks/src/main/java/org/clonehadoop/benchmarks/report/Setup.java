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
package org.clonehadoop.benchmarks.report;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * What runs must have in common to stand in one row: a JDK or a machine that is twice as slow makes
 * a median of both say nothing. A kernel's build isn't among it: this virtual machine has another
 * one each time that it starts, of the same version, and a row's sessions would never be one
 * setup's.
 *
 * @param version commit of what was built
 * @param size such as "500 MB"; empty if the lines don't tell
 * @param jdk empty if they don't tell
 * @param machine for people
 * @param on which of those that say the same of themselves
 */
record Setup(String version, String size, String jdk, String machine, TestMachine on) {
    /** What stands behind a kernel's version, such as "-fc-v657". */
    private static final Pattern BUILD = Pattern.compile("(Linux [0-9.]+)-[^,]*");

    static Setup of(String version, String size, Map<String, Object> environment, TestMachine on) {
        return new Setup(
                version,
                size,
                String.valueOf(environment.getOrDefault("jdk", "")),
                BUILD.matcher(SingleResult.machine(environment)).replaceAll("$1"),
                on);
    }
}
