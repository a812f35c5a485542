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
package org.apache.hadoop.clone.hdfs.read.wire;

import java.util.OptionalInt;
import org.apache.hadoop.clone.hdfs.read.conf.DuplicateReadKeys;
import org.apache.hadoop.conf.Configuration;

/** Where a DataNode's stage listens. */
public final class StagePort {
    /** Below it ports are for root alone, and so a sign that a DataNode is one. */
    private static final int FIRST_UNPRIVILEGED = 1024;

    private static final int LAST = 65535;

    private StagePort() {}

    /**
     * @param transferPort that of the DataNode's data transfer
     * @return empty where there can't be a stage: the port would be none; or the DataNode's is a
     *     privileged one, whose number vouches for it as ours wouldn't
     */
    public static OptionalInt of(int transferPort, Configuration conf) {
        int port = transferPort + offset(conf);
        return transferPort < FIRST_UNPRIVILEGED || port < FIRST_UNPRIVILEGED || port > LAST
                ? OptionalInt.empty()
                : OptionalInt.of(port);
    }

    /**
     * From the port of the data transfer.
     *
     * @throws IllegalArgumentException if it is no number, or 0, with a line that says so: what
     *     listens there is no stage, and would log each copy as an error
     */
    public static int offset(Configuration conf) {
        String key = DuplicateReadKeys.PORT_OFFSET;
        int offset = 0;
        NumberFormatException none = null;
        try {
            offset = conf.getInt(key, DuplicateReadKeys.PORT_OFFSET_DEFAULT);
        } catch (NumberFormatException e) {
            none = e;
        }
        if (offset == 0) {
            throw new IllegalArgumentException(
                    key + " is '" + conf.get(key) + "': give it a number, and not 0", none);
        }
        return offset;
    }
}
