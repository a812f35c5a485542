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

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapred.TaskAttemptID;

/** Who a clone is from now on. */
@InterfaceAudience.Private
public final class CloneIdentity implements Writable {
    private TaskAttemptID attempt = new TaskAttemptID();
    private String containerId = "";
    private String host = "";

    /** For deserialization. */
    public CloneIdentity() {}

    /**
     * @param host name of the node as YARN knows it
     */
    public CloneIdentity(TaskAttemptID attempt, String containerId, String host) {
        this.attempt = attempt;
        this.containerId = containerId;
        this.host = host;
    }

    public TaskAttemptID attempt() {
        return attempt;
    }

    public String containerId() {
        return containerId;
    }

    public String host() {
        return host;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        attempt.write(out);
        WritableUtils.writeString(out, containerId);
        WritableUtils.writeString(out, host);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        attempt = new TaskAttemptID();
        attempt.readFields(in);
        containerId = WritableUtils.readString(in);
        host = WritableUtils.readString(in);
    }

    @Override
    public String toString() {
        return attempt + " in " + containerId + " on " + host;
    }
}
