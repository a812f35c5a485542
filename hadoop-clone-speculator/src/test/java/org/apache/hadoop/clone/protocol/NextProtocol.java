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
package org.apache.hadoop.clone.protocol;

import java.io.IOException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.VersionedProtocol;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.security.token.JobTokenSelector;
import org.apache.hadoop.security.token.TokenInfo;

/** {@link CloneProtocol} as a later version of ours may speak it. */
@TokenInfo(JobTokenSelector.class)
@ProtocolInfo(
        protocolName = "org.apache.hadoop.clone.protocol.CloneProtocol",
        protocolVersion = NextProtocol.versionID)
public interface NextProtocol extends VersionedProtocol {
    long versionID = CloneProtocol.versionID + 1;

    CloneOrder awaitOrder(TaskAttemptID attempt, long seen) throws IOException;

    /** Somebody who speaks it, and has nothing to say. */
    static NextProtocol speaker() {
        return (NextProtocol)
                Proxy.newProxyInstance(
                        NextProtocol.class.getClassLoader(),
                        new Class<?>[] {NextProtocol.class},
                        (proxy, method, arguments) -> {
                            throw new IOException("nobody was expected to ask " + method);
                        });
    }
}
