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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FieldsTest {
    private static class Base {
        private static final String SHARED = "shared";
        private String hidden = "of the superclass";

        String hidden() {
            return hidden;
        }
    }

    private static final class Derived extends Base {
        private final long fixed = Long.parseLong("1");
    }

    @Test
    void findsPrivateFieldsOfSuperclasses() {
        assertThat(Fields.<String>of(new Derived(), "hidden")).isEqualTo("of the superclass");
    }

    @Test
    void findsStaticFields() {
        assertThat(Fields.<String>of(Derived.class, "SHARED")).isEqualTo(Base.SHARED);
    }

    @Test
    void setsFieldsFinalOnesToo() {
        Derived object = new Derived();
        Fields.set(object, "hidden", "changed");
        Fields.set(object, "fixed", 2L);
        assertThat(object.hidden()).isEqualTo("changed");
        assertThat(object.fixed).isEqualTo(2);
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> Fields.of(new Derived(), "none"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no field none in " + Derived.class.getName());
    }
}
