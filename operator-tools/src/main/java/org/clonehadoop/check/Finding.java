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
package org.clonehadoop.check;

/**
 * What was found of a node or of a pair.
 *
 * @param name of what was looked at, such as {@code criu}
 * @param fix what to do; null if nothing is to be done
 */
record Finding(Status status, String name, String detail, String fix) {
    enum Status {
        PASS,
        /** Clones can be made, but fewer, or slower. */
        WARN,
        FAIL
    }

    static Finding pass(String name, String detail) {
        return new Finding(Status.PASS, name, detail, null);
    }

    static Finding warn(String name, String detail, String fix) {
        return new Finding(Status.WARN, name, detail, fix);
    }

    static Finding fail(String name, String detail, String fix) {
        return new Finding(Status.FAIL, name, detail, fix);
    }

    boolean fails() {
        return status == Status.FAIL;
    }
}
