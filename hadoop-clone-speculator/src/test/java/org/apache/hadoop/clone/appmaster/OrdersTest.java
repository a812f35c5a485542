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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.clone.protocol.CloneOrder;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.junit.jupiter.api.Test;

class OrdersTest {
    private static final TaskAttemptID ATTEMPT = new TaskAttemptID("1", 1, TaskType.MAP, 0, 0);
    private static final TaskAttemptID OTHER = new TaskAttemptID("1", 1, TaskType.MAP, 1, 0);

    private final Orders orders = new Orders();
    private final List<CloneOrder> told = new ArrayList<>();

    private Optional<CloneOrder> ask(TaskAttemptID attempt, long seen, long now) {
        return orders.ask(attempt, seen, now, told::add);
    }

    @Test
    void whoAsksIsToldWhenThereIsAnOrder() {
        assertThat(ask(ATTEMPT, 0, 0)).isEmpty();
        assertThat(told).isEmpty();
        CloneOrder order = CloneOrder.prepare(1, 5);
        assertThat(orders.put(ATTEMPT, order)).isTrue();
        assertThat(told).containsExactly(order);
    }

    @Test
    void anOrderIsToldOnce() {
        ask(ATTEMPT, 0, 0);
        orders.put(ATTEMPT, CloneOrder.prepare(1, 5));
        assertThat(ask(ATTEMPT, 1, 0)).isEmpty();
        orders.expire(1, 0);
        assertThat(told)
                .extracting(CloneOrder::kind)
                .containsExactly(CloneOrder.Kind.PREPARE, CloneOrder.Kind.NONE);
    }

    @Test
    void anOrderThatCameBetweenTwoQuestionsIsToldAtOnce() {
        ask(ATTEMPT, 0, 0);
        orders.expire(1, 0);
        CloneOrder order = CloneOrder.prepare(1, 5);
        orders.put(ATTEMPT, order);
        assertThat(ask(ATTEMPT, 0, 2)).contains(order);
    }

    @Test
    void anOrderThatGotLostOnTheWayIsToldAgain() {
        ask(ATTEMPT, 0, 0);
        CloneOrder order = CloneOrder.prepare(1, 5);
        orders.put(ATTEMPT, order);
        assertThat(ask(ATTEMPT, 0, 2)).contains(order);
    }

    @Test
    void aLaterOrderTakesTheFirstOnesPlace() {
        ask(ATTEMPT, 0, 0);
        orders.expire(1, 0);
        orders.put(ATTEMPT, CloneOrder.prepare(1, 5));
        CloneOrder cancel = CloneOrder.cancel(2, 5);
        orders.put(ATTEMPT, cancel);
        assertThat(ask(ATTEMPT, 0, 2)).contains(cancel);
    }

    @Test
    void anOrderIsForOneAttempt() {
        List<CloneOrder> toldToOther = new ArrayList<>();
        ask(ATTEMPT, 0, 0);
        orders.ask(OTHER, 0, 0, toldToOther::add);
        orders.put(ATTEMPT, CloneOrder.prepare(1, 5));
        assertThat(told).hasSize(1);
        assertThat(toldToOther).isEmpty();
    }

    @Test
    void onlyThoseWhoHaveWaitedLongAreSentBack() {
        List<CloneOrder> toldToOther = new ArrayList<>();
        ask(ATTEMPT, 0, 10);
        orders.ask(OTHER, 0, 20, toldToOther::add);
        orders.expire(20, 0);
        assertThat(told).extracting(CloneOrder::kind).containsExactly(CloneOrder.Kind.NONE);
        assertThat(toldToOther).isEmpty();
    }

    @Test
    void aQuestionAskedAgainIsAnsweredOnce() {
        List<CloneOrder> lost = new ArrayList<>();
        orders.ask(ATTEMPT, 0, 0, lost::add);
        ask(ATTEMPT, 0, 1);
        orders.put(ATTEMPT, CloneOrder.prepare(1, 5));
        assertThat(told).hasSize(1);
        assertThat(lost).isEmpty();
    }

    @Test
    void whoHasNotAskedForLongIsForgotten() {
        ask(ATTEMPT, 0, 0);
        orders.expire(1, 0);
        assertThat(orders.asks(ATTEMPT)).isTrue();
        orders.expire(1, 1);
        assertThat(orders.asks(ATTEMPT)).isFalse();
    }

    @Test
    void whoStillWaitsIsNotForgotten() {
        ask(ATTEMPT, 0, 10);
        orders.expire(5, 20);
        assertThat(orders.asks(ATTEMPT)).isTrue();
    }

    @Test
    void anOrderForSomebodyWhoNeverAskedIsDropped() {
        assertThat(orders.put(ATTEMPT, CloneOrder.prepare(1, 5))).isFalse();
        assertThat(orders.asks(ATTEMPT)).isFalse();
        assertThat(ask(ATTEMPT, 0, 0)).isEmpty();
    }
}
