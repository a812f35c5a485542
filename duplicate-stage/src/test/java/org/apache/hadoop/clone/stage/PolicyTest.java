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
package org.apache.hadoop.clone.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What becomes of a job's two copies under each policy, at a server with room for all. */
class PolicyTest {
    private static final Duration LATER = Duration.ofMillis(5);

    private final AtomicLong now = new AtomicLong();
    private final ManualServer server = new ManualServer();
    private final QueueStage<String> stage =
            new QueueStage<>(server, Limit.fixed(10), Gate.open(), 10, now::get);

    private void dispatch(Policy policy) {
        stage.dispatch(new Job<>(JobId.named("job"), policy, List.of("first", "second")));
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
        stage.schedule();
    }

    @Test
    void singleMakesNoDuplicate() {
        dispatch(Policy.single());

        pass(Duration.ofDays(1));
        assertThat(server.serving).containsOnlyKeys("first");
    }

    @Test
    void cloningServesBothAndStopsTheSlower() {
        dispatch(Policy.cloning());

        assertThat(server.serving).containsOnlyKeys("first", "second");
        assertThat(server.copies.get("second").priority()).isEqualTo(Priority.PRIMARY);
        server.end("second");
        assertThat(server.stopped).containsExactly("first");
    }

    @Test
    void hedgedSendsTheSecondWhenTheFirstTakesLong() {
        dispatch(Policy.hedged(LATER));

        assertThat(server.serving).containsOnlyKeys("first");
        pass(LATER);
        assertThat(server.serving).containsOnlyKeys("first", "second");
        server.started("second");
        assertThat(server.stopped).isEmpty();
        server.end("first");
        assertThat(server.stopped).containsExactly("second");
    }

    @Test
    void hedgedNeverSendsTheSecondOfAQuickFirst() {
        dispatch(Policy.hedged(LATER));
        server.end("first");

        pass(LATER);
        assertThat(server.copies).containsOnlyKeys("first");
        assertThat(stage.schedule()).isEqualTo(OptionalLong.empty());
    }

    @Test
    void appTimeoutPutsTheSecondInTheFirstOnesPlace() {
        dispatch(Policy.appTimeout(LATER));
        pass(LATER);

        server.started("second");
        assertThat(server.stopped).containsExactly("first");
        assertThat(server.serving).containsOnlyKeys("second");
    }

    @Test
    void appTimeoutNeverSendsTheSecondOfAQuickFirst() {
        dispatch(Policy.appTimeout(LATER));
        server.end("first");

        pass(LATER);
        assertThat(server.copies).containsOnlyKeys("first");
    }

    @Test
    void tiedServesOnlyTheFirstToStart() {
        dispatch(Policy.tied());
        assertThat(server.serving).containsOnlyKeys("first", "second");

        server.started("second");
        assertThat(server.stopped).containsExactly("first");
        server.end("second");
        assertThat(server.serving).isEmpty();
    }

    @Test
    void dasSendsADuplicateOfLowerPriorityAndPurgesItAtTheEnd() {
        dispatch(Policy.das(LATER));
        assertThat(server.serving).containsOnlyKeys("first");
        assertThat(stage.schedule()).isEqualTo(OptionalLong.of(LATER.toNanos()));

        pass(LATER);
        assertThat(server.copies.get("second").priority()).isEqualTo(Priority.DUPLICATE);
        server.end("first");
        assertThat(server.stopped).containsExactly("second");
    }

    @Test
    void aCopyThatFailsLeavesTheOtherAlone() {
        dispatch(Policy.das(Duration.ZERO));

        server.fail("first");
        assertThat(server.serving).containsOnlyKeys("second");
        assertThat(server.stopped).isEmpty();
    }

    @Test
    void noDuplicateIsMadeWhereThereIsNoOtherPlace() {
        stage.dispatch(new Job<>(JobId.named("job"), Policy.cloning(), List.of("only")));

        assertThat(server.copies).containsOnlyKeys("only");
    }

    @Test
    void aDuplicateCanNotComeBeforeItsJob() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Policy.das(Duration.ofMillis(-1)))
                .withMessageContaining("can't be dispatched PT-0.001S after its job");
    }
}
