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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.security.token.JobTokenSelector;
import org.apache.hadoop.security.token.TokenInfo;

/**
 * Served by the AppMaster, called by task JVMs. Every call must be authenticated by the job's
 * token, on clusters without security as well.
 *
 * <p>A task finds the address in its environment, {@value #ADDRESS}. That variable is the
 * AppMaster's marker too: without it nothing of ours acts in a task.
 */
@InterfaceAudience.Private
@TokenInfo(JobTokenSelector.class)
@ProtocolInfo(
        protocolName = "org.apache.hadoop.clone.protocol.CloneProtocol",
        protocolVersion = CloneProtocol.versionID)
public interface CloneProtocol extends TaskProtocol {
    long versionID = 6;

    /** Environment variable of a task with the protocol's address, {@code host:port}. */
    String ADDRESS = "CLONE_APPMASTER";

    /**
     * The first order for the attempt after the one it saw last. The answer comes when there is
     * one; {@link CloneOrder.Kind#NONE} means ask again.
     *
     * @param seen serial of the last order seen, 0 at first
     */
    CloneOrder awaitOrder(TaskAttemptID attempt, long seen) throws IOException;

    /** What became of an order. */
    void answer(TaskAttemptID attempt, CloneAnswer answer) throws IOException;

    /**
     * Asked by the original when everything is ready, before it closes its gate, and once more if
     * it took long to come to a point at which it can be frozen: is the clone still worth that?
     *
     * @param linkBytesPerMilli what the link to the clone's host gives, as the tool has just
     *     sampled it; 0 if that isn't known
     * @return whatever it is, the original goes on undisturbed unless leave is granted
     */
    FreezeLeave mayFreeze(TaskAttemptID original, long clone, long linkBytesPerMilli)
            throws IOException;

    /**
     * Called by a clone before it does anything else outside its process. Answered once for each
     * clone; a process that gets no answer must halt.
     *
     * @param containerId the container that the process finds itself in
     * @throws IOException if nobody is expected there
     */
    CloneIdentity becomeClone(TaskAttemptID original, long clone, String containerId)
            throws IOException;

    /**
     * Called by a clone that has become its new attempt, just before its gate opens.
     *
     * @param attempt its new attempt
     */
    void cloneRunning(TaskAttemptID attempt, long clone) throws IOException;

    @Override
    default long getProtocolVersion(String protocol, long clientVersion) {
        return versionID;
    }
}
