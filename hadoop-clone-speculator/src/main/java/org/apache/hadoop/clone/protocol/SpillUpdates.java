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
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** Updates in the order in which they happened. */
@InterfaceAudience.Private
public final class SpillUpdates implements Writable {
    private List<SpillUpdate> updates = List.of();

    /** For deserialization. */
    public SpillUpdates() {}

    public SpillUpdates(List<SpillUpdate> updates) {
        this.updates = List.copyOf(updates);
    }

    public List<SpillUpdate> list() {
        return updates;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        WritableUtils.writeVInt(out, updates.size());
        for (SpillUpdate update : updates) {
            update.write(out);
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        int size = WritableUtils.readVInt(in);
        List<SpillUpdate> read = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            SpillUpdate update = new SpillUpdate();
            update.readFields(in);
            read.add(update);
        }
        updates = List.copyOf(read);
    }
}
