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
package org.clonehadoop.benchmarks.polls;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Method;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.CloneProtocol;
import org.apache.hadoop.ipc.ThreadlessConnection;
import org.apache.hadoop.mapred.TaskAttemptID;

/** A running map, as far as the AppMaster's clone service knows it. */
final class Poller implements Closeable {
    private static final Method AWAIT_ORDER =
            ThreadlessConnection.method(
                    CloneProtocol.class, "awaitOrder", TaskAttemptID.class, long.class);
    private static final Method ANSWER =
            ThreadlessConnection.method(
                    CloneProtocol.class, "answer", TaskAttemptID.class, CloneAnswer.class);

    private final TaskAttemptID attempt;
    private final ThreadlessConnection connection;
    private long seen;

    Poller(TaskAttemptID attempt, AppMasterProcess server) throws IOException {
        this.attempt = attempt;
        connection = server.connect(CloneProtocol.class);
    }

    TaskAttemptID attempt() {
        return attempt;
    }

    void ask() throws IOException {
        connection.call(AWAIT_ORDER, attempt, seen);
    }

    boolean isAnswered() throws IOException {
        return connection.hasAnswer();
    }

    /** Asks again when the answer has come; waits for it. */
    CloneOrder takeAndAsk() throws IOException {
        CloneOrder order = (CloneOrder) connection.answer();
        seen = Math.max(seen, order.serial());
        ask();
        return order;
    }

    /** Says something in another attempt's name, and waits until that was heard. */
    void answerFor(TaskAttemptID other) throws IOException {
        connection.call(ANSWER, other, CloneAnswer.able(0, 0, 0));
        connection.answer();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
