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

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
    private final ProcessIdentity now = ProcessIdentity.current();

    @Test
    void isOfOneProcess() {
        assertThat(now.isStillThisProcess()).isTrue();
    }

    /** By user code that stops all threads; a file can't be read then. */
    @Test
    void isTheSameAfterAnInterrupt() {
        Thread.currentThread().interrupt();
        try {
            assertThat(now.isStillThisProcess()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    /** Each kernel counts its namespaces by itself. */
    @Test
    void isAnothersWithTheSameNumberOnAnotherKernel() {
        assertThat(new ProcessIdentity(now.pidNamespace(), "another boot").isStillThisProcess())
                .isFalse();
    }

    @Test
    void isAnothersInAnotherNamespaceOfTheSameKernel() {
        assertThat(new ProcessIdentity("pid:[1]", now.bootId()).isStillThisProcess()).isFalse();
    }
}
