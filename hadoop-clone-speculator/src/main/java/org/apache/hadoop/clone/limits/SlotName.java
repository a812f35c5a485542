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

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file that holds one of a cap's slots. Whoever finds a holder dead doesn't take its file away,
 * which may be another's by then: the next generation of the slot is made, which only one can.
 *
 * @param scope as of {@link SlotLimit}
 * @param number from 0 on; the cap is the number of slots
 * @param generation from 0 on; the last one holds the slot
 */
record SlotName(String scope, int number, long generation) {
    private static final Pattern NAME = Pattern.compile("slot-(\\d{1,6})-(\\d{1,18})-(.+)");

    /** The scope can't be read back from a file's name; two scopes never have the same. */
    private static String encoded(String scope) {
        return URLEncoder.encode(scope, StandardCharsets.UTF_8);
    }

    /** Empty if the file holds no slot of that scope. */
    static Optional<SlotName> parse(String file, String scope) {
        Matcher name = NAME.matcher(file);
        return name.matches() && name.group(3).equals(encoded(scope))
                ? Optional.of(
                        new SlotName(
                                scope,
                                Integer.parseInt(name.group(1)),
                                Long.parseLong(name.group(2))))
                : Optional.empty();
    }

    SlotName next() {
        return new SlotName(scope, number, generation + 1);
    }

    /** The file's name. */
    @Override
    public String toString() {
        return "slot-" + number + "-" + generation + "-" + encoded(scope);
    }
}
