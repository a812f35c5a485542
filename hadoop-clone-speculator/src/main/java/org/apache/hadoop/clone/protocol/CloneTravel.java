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

/**
 * What of a clone has travelled to its node.
 *
 * @param fileBytes of its files
 * @param imageBytes of the image of its memory, as large as it was before it was compressed
 * @param millis how long all of that took
 */
@InterfaceAudience.Private
public record CloneTravel(long fileBytes, long imageBytes, long millis) {
    /** Of a clone that hasn't left yet. */
    static final CloneTravel NONE = new CloneTravel(0, 0, 0);

    public long bytes() {
        return fileBytes + imageBytes;
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(fileBytes);
        out.writeLong(imageBytes);
        out.writeLong(millis);
    }

    static CloneTravel read(DataInput in) throws IOException {
        return new CloneTravel(in.readLong(), in.readLong(), in.readLong());
    }
}
