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
package org.apache.hadoop.clone.appmaster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.clonehadoop.benchmarks.polls.JobAccess;

/**
 * An AppMaster's clone service in a process of its own. Whatever an attempt answers, it is given an
 * order.
 */
public final class OrderServer {
    private OrderServer() {}

    private static final class Echo implements CloneService.CloneListener {
        private final Orders orders;
        private final AtomicLong serial = new AtomicLong();

        Echo(Orders orders) {
            this.orders = orders;
        }

        @Override
        public void answered(TaskAttemptID attempt, CloneAnswer answer) {
            orders.put(attempt, CloneOrder.prepare(serial.incrementAndGet(), answer.cloneId()));
        }

        @Override
        public FreezeLeave mayFreeze(TaskAttemptID original, long clone, long linkBytesPerMilli) {
            return FreezeLeave.REFUSED;
        }

        @Override
        public CloneIdentity becomeClone(TaskAttemptID original, long clone, String containerId)
                throws IOException {
            throw new IOException("nothing is cloned here");
        }

        @Override
        public void cloneRunning(TaskAttemptID attempt, long clone) throws IOException {
            throw new IOException("nothing is cloned here");
        }
    }

    /** FILE: writes there how to reach it, and serves. */
    public static void main(String[] arguments) throws Exception {
        Orders orders = new Orders();
        CloneService service = new CloneService("localhost", orders, new Echo(orders));
        service.init(new Configuration());
        service.start();
        JobAccess access = JobAccess.to(service.address());
        service.accept(access.job(), access.token());
        access.write(Path.of(arguments[0]));
    }
}
