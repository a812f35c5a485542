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

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Unix socket, as a line of /proc/net/unix has it.
 *
 * @param isInUse whether it listens, or has another end. The JDK keeps one that has lost its other
 *     end, to put it in the place of what it closes (preClose in FileDispatcherImpl.c).
 */
record UnixSocket(long inode, boolean isInUse) {
    /** Address; references, protocol, flags, type, state; inode, and a path if it has one. */
    private static final Pattern LINE =
            Pattern.compile(
                    "[0-9a-f]+: ([0-9A-F]{8}) [0-9A-F]{8} ([0-9A-F]{8}) \\S+ \\S+ +(\\d+)(?: .*)?");

    private static final int HEX = 16;

    /** __SO_ACCEPTCON of linux/net.h. */
    private static final int LISTENS = 1 << 16;

    /** One reference is its descriptor's, one the table's; another end has a third. */
    private static final int ALONE = 2;

    /**
     * @return empty for the heading
     */
    static Optional<UnixSocket> parse(String line) {
        Matcher fields = LINE.matcher(line);
        return fields.matches()
                ? Optional.of(
                        new UnixSocket(
                                Long.parseLong(fields.group(3)),
                                Integer.parseInt(fields.group(1), HEX) > ALONE
                                        || Integer.parseInt(fields.group(2), HEX) == LISTENS))
                : Optional.empty();
    }
}
