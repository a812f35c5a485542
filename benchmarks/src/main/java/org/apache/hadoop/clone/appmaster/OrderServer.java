package org.apache.hadoop.clone.appmaster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneIdentity;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.token.Token;

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
        public FreezeLeave mayFreeze(TaskAttemptID original, long clone) {
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

    /** Writes address, job and token, a line each, into the file named, and serves. */
    public static void main(String[] arguments) throws Exception {
        String job = "job_1_0001";
        Token<JobTokenIdentifier> token =
                new Token<>(new JobTokenIdentifier(new Text(job)), new JobTokenSecretManager());
        Orders orders = new Orders();
        CloneService service = new CloneService("localhost", orders, new Echo(orders));
        service.init(new Configuration());
        service.start();
        service.accept(job, token);
        Path file = Path.of(arguments[0]);
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.write(temporary, List.of(service.address(), job, token.encodeToUrlString()));
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
