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

import java.lang.instrument.UnmodifiableClassException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.objectweb.asm.Type;

/**
 * In a clone, the attempts that it was cloned from. User code may have kept what {@link
 * IdentitySwitch} can't reach, such as an id as text or a path with one in it: writing there, the
 * clone would lose its output or spoil that of the original.
 */
final class OriginalsOutput {
    private record Ancestor(String id) {
        /** An id isn't in a path with another one that only begins so. */
        boolean isIn(String path) {
            int at = path.indexOf(id);
            while (at >= 0) {
                int end = at + id.length();
                if (end == path.length() || !Character.isDigit(path.charAt(end))) {
                    return true;
                }
                at = path.indexOf(id, at + 1);
            }
            return false;
        }
    }

    private final List<Ancestor> ancestors = new CopyOnWriteArrayList<>();
    private final AtomicLong changes = new AtomicLong();
    private boolean guarded;

    void add(TaskAttemptID ancestor) {
        ancestors.add(new Ancestor(ancestor.toString()));
    }

    /**
     * From now on a clone of this process ends before it changes anything of theirs. Before there
     * is one, so that where that can't be had nothing is stopped or copied; a process that has no
     * ancestors may change all. In the clone, once more: it must be so still. Only by the thread
     * that carries out orders.
     *
     * @throws UnmodifiableClassException if this JVM doesn't allow for that
     * @throws IllegalStateException the same, if Hadoop's class isn't as it is known
     */
    void guard() throws UnmodifiableClassException {
        if (!guarded) {
            HookWriter.withChanges();
            // Named by itself, so that it is loaded: what is loaded later nobody looks at.
            CloneAgent.retransform(
                    Set.of(Type.getInternalName(ClientNamenodeProtocolTranslatorPB.class)));
            // Not if the JVM has refused what was written.
            guarded = true;
        }
        if (!HookWriter.isGuarded()) {
            guarded = false;
            throw new IllegalStateException("nobody would see what a clone changes in HDFS");
        }
    }

    /** How many paths this process has begun to change since it is guarded. */
    long changes() {
        return changes.get();
    }

    /** A path in HDFS is about to be made, written, closed, moved or deleted. */
    void changes(String path) {
        changes.incrementAndGet();
        if (contains(path)) {
            CloneMaking.halt("it would change " + path + ", which is its original's");
        }
    }

    boolean contains(String path) {
        return ancestors.stream().anyMatch(ancestor -> ancestor.isIn(path));
    }
}
