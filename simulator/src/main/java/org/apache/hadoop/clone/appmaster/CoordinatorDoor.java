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
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.clone.placement.PlacementRules;
import org.apache.hadoop.clone.protocol.CloneAnswer;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.clone.protocol.FreezeLeave;
import org.apache.hadoop.clone.score.CloneScore;
import org.apache.hadoop.clone.score.CostRules;
import org.apache.hadoop.clone.speculate.CloneSpeculator;
import org.apache.hadoop.clone.speculate.Cloner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.launcher.ContainerRemoteLaunchEvent;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;

/** The real {@link CloneCoordinator}, between tasks and containers that aren't there. */
public final class CoordinatorDoor {
    private static final String STOCK =
            "java org.apache.hadoop.mapred.YarnChild h 1 a 2 1>out 2>err ";

    /** How it hears whether a clone is still worth it: of an original, so long after the launch. */
    public interface Rescorer {
        Optional<CloneScore> score(TaskAttemptId original, long sinceLaunchMillis);
    }

    private final Orders orders = new Orders();
    private final CloneCoordinator coordinator;
    private final ContainerLaunchContext launchContext;

    public CoordinatorDoor(
            Configuration conf, AppContext context, CostRules rules, PlacementRules placement) {
        LaunchSecrets secrets = new LaunchSecrets();
        coordinator =
                new CloneCoordinator(
                        conf,
                        context,
                        orders,
                        secrets,
                        CloneSpeculator.configuredCosts(conf),
                        rules,
                        placement);
        launchContext = launchContext();
        try {
            secrets.learn(launchContext);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ContainerLaunchContext launchContext() {
        Credentials credentials = new Credentials();
        TokenCache.setJobToken(
                new Token<>(new JobTokenIdentifier(new Text("job")), new JobTokenSecretManager()),
                credentials);
        DataOutputBuffer out = new DataOutputBuffer();
        try {
            credentials.writeTokenStorageToStream(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ContainerLaunchContext.newInstance(
                Map.of(),
                Map.of(),
                List.of(STOCK),
                Map.of(),
                ByteBuffer.wrap(out.getData(), 0, out.getLength()),
                Map.of());
    }

    /**
     * Before the first order.
     *
     * @param launch takes an attempt whose launch was held back, and whether it is to be a clone
     */
    public void connect(Rescorer rescorer, BiConsumer<TaskAttemptId, Boolean> launch) {
        coordinator.connect(
                rescorer::score,
                held ->
                        launch.accept(
                                held.getTaskAttemptID(),
                                !held.getContainerLaunchContext()
                                        .getCommands()
                                        .equals(List.of(STOCK))));
    }

    public Cloner cloner() {
        return coordinator;
    }

    /** As an agent asks: for all orders, from now on until its attempt ends. */
    public void listen(TaskAttemptId attempt, long nowMillis, Consumer<CloneOrder> ears) {
        listen(attempt, 0, nowMillis, ears);
    }

    private void listen(
            TaskAttemptId attempt, long seen, long nowMillis, Consumer<CloneOrder> ears) {
        Consumer<CloneOrder> hear =
                order -> {
                    listen(attempt, order.serial(), nowMillis, ears);
                    ears.accept(order);
                };
        orders.ask(wire(attempt), seen, nowMillis, hear::accept).ifPresent(hear);
    }

    public void answered(TaskAttemptId attempt, CloneAnswer answer) {
        coordinator.answered(wire(attempt), answer);
    }

    public FreezeLeave mayFreeze(TaskAttemptId original, long clone, long linkBytesPerMilli) {
        return coordinator.mayFreeze(wire(original), clone, linkBytesPerMilli);
    }

    /**
     * The restored process asks who it is, and says that it runs.
     *
     * @return whether it may
     */
    public boolean becomeAndRun(TaskAttemptId original, long clone, TaskAttemptId attempt) {
        try {
            coordinator.becomeClone(wire(original), clone, containerOf(attempt).toString());
            coordinator.cloneRunning(wire(attempt), clone);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /**
     * @return whether the launch is held back
     */
    public boolean launching(TaskAttemptId attempt, String host) {
        ContainerLaunchContext copy =
                ContainerLaunchContext.newInstance(
                        Map.of(),
                        Map.of(),
                        List.of(STOCK),
                        Map.of(),
                        launchContext.getTokens(),
                        Map.of());
        return coordinator.launching(
                new ContainerRemoteLaunchEvent(
                        attempt,
                        copy,
                        Container.newInstance(
                                containerOf(attempt),
                                NodeId.newInstance(host, 1),
                                host + ":2",
                                null,
                                null,
                                null),
                        null));
    }

    private static ContainerId containerOf(TaskAttemptId attempt) {
        long number =
                1000L * attempt.getTaskId().getId()
                        + 2L * attempt.getId()
                        + attempt.getTaskId().getTaskType().ordinal();
        return ContainerId.newContainerId(
                ApplicationAttemptId.newInstance(attempt.getTaskId().getJobId().getAppId(), 1),
                number);
    }

    public void ended(TaskAttemptId attempt, boolean succeeded) {
        coordinator.ended(attempt, succeeded);
    }

    public void tick() {
        coordinator.tick();
    }

    private static TaskAttemptID wire(TaskAttemptId attempt) {
        return TaskAttemptID.downgrade(TypeConverter.fromYarn(attempt));
    }
}
