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

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The threads of this process, and what they say together. */
final class Threads {
    /** Of the JVM's own threads, and of those that the JDK starts for itself. */
    private static final Set<String> JVM_GROUPS = Set.of("system", "InnocuousThreadGroup");

    private Threads() {}

    /** All at one moment: one by one, two that take turns might both be seen waiting. */
    static List<ThreadFacts> now() {
        ThreadInfo[] infos = ManagementFactory.getThreadMXBean().dumpAllThreads(false, false);
        Map<Long, Thread> threads =
                all().stream().collect(Collectors.toMap(Thread::getId, Function.identity()));
        return Arrays.stream(infos)
                .filter(info -> threads.containsKey(info.getThreadId()))
                .map(info -> facts(info, threads.get(info.getThreadId())))
                .toList();
    }

    /** Those of them that have not ended. */
    static List<Thread> all() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] threads = new Thread[root.activeCount() * 2 + 16];
        return Arrays.asList(threads).subList(0, root.enumerate(threads));
    }

    private static ThreadFacts facts(ThreadInfo info, Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return new ThreadFacts(
                info.getThreadId(),
                info.getThreadName(),
                group != null && JVM_GROUPS.contains(group.getName()),
                thread.getClass().getName(),
                info.getThreadState(),
                Optional.of(info.getLockOwnerId()).filter(id -> id >= 0),
                Arrays.stream(info.getStackTrace())
                        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                        .toList());
    }

    /** Why a clone can't be made while these threads of the user do what they do. */
    static List<String> unrest(Collection<ThreadFacts> users) {
        Set<Long> ids = users.stream().map(ThreadFacts::id).collect(Collectors.toSet());
        return users.stream().flatMap(thread -> thread.unrest(ids).stream()).toList();
    }
}
