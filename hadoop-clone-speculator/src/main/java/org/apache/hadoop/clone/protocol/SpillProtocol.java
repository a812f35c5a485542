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
 * Per-spill map outputs: maps tell the AppMaster of each spill when its files are complete, reduces
 * ask where spills are. Every call must be authenticated by the job's token.
 */
@InterfaceAudience.Private
@TokenInfo(JobTokenSelector.class)
@ProtocolInfo(
        protocolName = "org.apache.hadoop.clone.protocol.SpillProtocol",
        protocolVersion = SpillProtocol.versionID)
public interface SpillProtocol extends TaskProtocol {
    long versionID = 3;

    /**
     * Environment variable of a task with the protocol's address, {@code host:port}. It is the
     * AppMaster's marker too: without it collector and shuffle are stock's.
     */
    String ADDRESS = "CLONE_SPILLS";

    /**
     * A spill is complete. An attempt tells of its spills one after the other.
     *
     * @throws IOException if the AppMaster doesn't know yet where the attempt runs: try again
     */
    void spillFinished(TaskAttemptID map, SpillNotice notice) throws IOException;

    /**
     * The attempt has told of all its spills. Comes before it reports itself done.
     *
     * @param spills how many, 0 or more
     * @param chain of the last one, {@link SpillNotice#NO_CHAIN} if there is none
     */
    void spillsEnded(TaskAttemptID map, int spills, long chain) throws IOException;

    /**
     * What has happened to the job's spills. The answer comes when there is something that the
     * reduce hasn't seen, or with nothing after a while: then it asks again.
     *
     * @param from how many updates the reduce has seen already
     */
    SpillUpdates spillUpdates(TaskAttemptID reduce, int from) throws IOException;

    /**
     * What the reduce has fetched is void: its attempt is to be killed, which doesn't count against
     * its task, and another one to take its place.
     *
     * @throws IOException if it can't be killed
     */
    void startAgain(TaskAttemptID reduce) throws IOException;

    /**
     * The reduce can't fetch spills on its host: as {@link #startAgain}, and the host is taken for
     * one where a task of this job has failed.
     *
     * @return false if that has happened to its task too often: nothing is done, and it may fail
     * @throws IOException if it can't be killed
     */
    boolean startElsewhere(TaskAttemptID reduce, String why) throws IOException;

    @Override
    default long getProtocolVersion(String protocol, long clientVersion) {
        return versionID;
    }
}
