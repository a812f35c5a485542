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
package org.apache.hadoop.clone.limits;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a job may do.
 *
 * @param off why it is to do as stock's; empty if it isn't
 * @param caps on its clones; all of them count
 */
@InterfaceAudience.Private
public record Permission(Optional<String> off, List<SlotLimit> caps) {
    /** Where nobody limits anything. */
    public static final Permission ALL = new Permission(Optional.empty(), List.of());

    static Permission off(String why) {
        return new Permission(Optional.of(why), List.of());
    }

    /** Whether anything of ours may act. */
    public boolean isOn() {
        return off.isEmpty();
    }

    /** In a few words, for the log. */
    @Override
    public String toString() {
        if (off.isPresent()) {
            return "off: " + off.get();
        }
        StringBuilder text = new StringBuilder("on");
        caps.forEach(
                cap ->
                        text.append(", at most ")
                                .append(cap.clones())
                                .append(" clones at once in: ")
                                .append(cap.scope()));
        return text.toString();
    }
}
