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
package org.clonehadoop.benchmarks.reads;

import java.util.Locale;

/** What is wrong with one of the DataNodes' hosts. */
enum Trouble {
    SLOW_DISK("a disk of a fifth of the others' rate"),
    SLOW_LINK("a link as slow as that"),
    SLOW_HOST("a host with 25 % of a core"),
    HOT_SPOT("a DataNode from which four others read all the time");

    private final String label;

    Trouble(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** As in keys. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As the run script knows it. */
    String order() {
        return key().replace('_', '-');
    }
}
