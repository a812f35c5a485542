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

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.mapred.CloneableChild;
import org.apache.hadoop.mapred.TaskAttemptID;

/**
 * Where in a JVM's heap an attempt's id still is: as text, or as a number. Exceptions, with their
 * reasons, are in docs/internals/task-side.md.
 */
final class IdentityAudit {
    /** Where the id, as text, does no harm. */
    private static final Map<String, String> HARMLESS =
            Map.of(
                    "org/apache/hadoop/ipc/Client$Connection.pingRequest",
                    "of connections from before the switch: dead, or the AppMaster's first",
                    "org/apache/hadoop/clone/task/OriginalsOutput$Ancestor.id",
                    "whose paths the clone must not change",
                    "java/io/BufferedOutputStream.buf",
                    "what such a connection has already sent",
                    "sun/nio/fs/UnixPath.path",
                    "the JDK's cache of the last path a thread used",
                    "org/apache/hadoop/ipc/protobuf/RpcHeaderProtos$RPCCallerContextProto.context_",
                    "the header of SASL negotiations, made once; no server logs it");

    /** The map's records, in this and other views of the array: some hold their reader's id. */
    private static final String RECORDS =
            "org/apache/hadoop/mapred/MapTask$MapOutputBuffer.kvbuffer";

    /** Tags of a reduce's shuffle metrics, for sinks that tasks don't have; interned by Hadoop. */
    private static final String METRIC = "org/apache/hadoop/metrics2/MetricsTag.value";

    /** An id of a map, in a reduce. */
    private static final String FETCHED = "org/apache/hadoop/mapreduce/task/reduce/MapOutput.mapId";

    private static final String STRING = "java/lang/String.value";
    private static final String ARGUMENT = "[Ljava/lang/String;[]";
    private static final String COMMAND = CloneableChild.class.getName() + " ";

    private final HeapDump heap;
    private final TaskAttemptID attempt;
    private final SortedSet<String> found = new TreeSet<>();

    private IdentityAudit(HeapDump heap, TaskAttemptID attempt) {
        this.heap = heap;
        this.attempt = attempt;
    }

    /** What shouldn't be there; each with its holder. */
    static SortedSet<String> of(HeapDump heap, TaskAttemptID attempt) {
        IdentityAudit audit = new IdentityAudit(heap, attempt);
        heap.byteArrays().forEach(audit::lookAt);
        audit.lookAtIds();
        return audit.found;
    }

    private void lookAt(long array, byte[] content) {
        String text = new String(content, StandardCharsets.ISO_8859_1);
        if (!text.contains(attempt.toString())) {
            return;
        }
        List<HeapDump.Holder> holders = heap.holders(array);
        if (holders.stream().anyMatch(holder -> holder.slot().equals(RECORDS))) {
            return;
        }
        for (HeapDump.Holder holder : holders) {
            if (!holder.slot().equals(STRING)) {
                note(holder, "bytes");
            } else if (!text.startsWith(COMMAND)) {
                lookAtString(heap.holders(holder.object()), text);
            }
        }
    }

    private void lookAtString(List<HeapDump.Holder> holders, String text) {
        if (holders.stream().noneMatch(by -> by.slot().equals(METRIC))) {
            holders.forEach(by -> noteString(by, text));
        }
    }

    /** The command line's arguments are the stack's: main never looks at them again. */
    private void noteString(HeapDump.Holder by, String text) {
        boolean argument =
                by.slot().equals(ARGUMENT)
                        && text.equals(attempt.toString())
                        && heap.holders(by.object()).isEmpty();
        if (!argument) {
            note(by, text);
        }
    }

    private void note(HeapDump.Holder holder, String what) {
        if (!HARMLESS.containsKey(holder.slot())) {
            found.add(holder.slot() + ": " + what);
        }
    }

    private void lookAtIds() {
        for (String type :
                new String[] {
                    "org/apache/hadoop/mapred/TaskAttemptID",
                    "org/apache/hadoop/mapreduce/TaskAttemptID"
                }) {
            for (long id : heap.instancesOf(type)) {
                if (heap.intOf(id, "id") == attempt.getId()) {
                    heap.holders(id).stream()
                            .filter(by -> !by.slot().equals(FETCHED))
                            .forEach(by -> found.add(by.slot() + ": " + type));
                }
            }
        }
    }
}
