package org.apache.hadoop.clone.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** Updates in the order in which they happened. */
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
