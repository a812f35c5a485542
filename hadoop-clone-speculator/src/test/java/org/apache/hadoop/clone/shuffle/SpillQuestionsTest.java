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
package org.apache.hadoop.clone.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.Mockito;

class SpillQuestionsTest {
    private static final TaskAttemptID MAP = new TaskAttemptID("1", 1, TaskType.MAP, 0, 0);

    private final SpillRegistry registry = new SpillRegistry();
    private final ScheduledExecutorService thread = Mockito.mock(ScheduledExecutorService.class);
    private SpillQuestions questions = new SpillQuestions(registry, thread, 1);
    private final List<List<SpillUpdate>> answers = new ArrayList<>();
    private int spills;

    private void ask(int reduce, int from) {
        questions.ask(new TaskAttemptID("1", 1, TaskType.REDUCE, reduce, 0), from, answers::add);
    }

    private void publish() throws IOException {
        registry.finished(MAP, new SpillNotice(spills, spills, spills + 1, 0), "http://host");
        spills++;
        questions.spills();
    }

    /**
     * Runs what is the last of so many things that the thread was to do.
     *
     * @return after how many milliseconds it was to do it
     */
    private long runLast(int count) {
        ArgumentCaptor<Runnable> work = ArgumentCaptor.forClass(Runnable.class);
        ArgumentCaptor<Long> pause = ArgumentCaptor.forClass(Long.class);
        verify(thread, times(count)).schedule(work.capture(), pause.capture(), any());
        work.getValue().run();
        return pause.getValue();
    }

    @Test
    void answersAtOnceWhatIsKnown() throws IOException {
        publish();
        ask(0, 0);
        assertThat(runLast(1)).isZero();
        assertThat(answers).hasSize(1);
        assertThat(answers.get(0)).hasSize(1);
    }

    /** Its dispatcher still tells of attempts then, and would end it for what it is thrown. */
    @Test
    void isSilentOnceTheAppMasterStops() throws IOException {
        ScheduledExecutorService ended = Executors.newSingleThreadScheduledExecutor();
        questions = new SpillQuestions(registry, ended, 1);
        ask(0, 0);
        ended.shutdownNow();
        publish();
        questions.ended();
        assertThat(answers).isEmpty();
    }

    @Test
    void parksWhoKnowsAllUntilThereIsNews() throws IOException {
        publish();
        ask(0, 1);
        verifyNoInteractions(thread);
        publish();
        runLast(1);
        assertThat(answers).hasSize(1);
        assertThat(answers.get(0)).extracting(SpillUpdate::spill).containsExactly(1);
    }

    @Test
    void answersAQuestionOnce() throws IOException {
        ask(0, 0);
        publish();
        runLast(1);
        publish();
        verify(thread, times(1)).schedule(any(Runnable.class), Mockito.anyLong(), any());
        assertThat(answers).hasSize(1);
    }

    @Test
    void leavesWhoKnowsAllParkedWhenOthersAreAnswered() throws IOException {
        publish();
        ask(0, 1);
        ask(1, 0);
        runLast(1);
        assertThat(answers).hasSize(1);
        publish();
        runLast(2);
        assertThat(answers).hasSize(2);
    }

    @Test
    void tellsOfSpillsThatFollowEachOtherCloselyTogether() throws IOException {
        ask(0, 0);
        publish();
        assertThat(runLast(1)).isZero();
        ask(0, 1);
        publish();
        publish();
        assertThat(runLast(2)).as("at most a second").isBetween(1L, 1000L);
        assertThat(answers.get(1)).hasSize(2);
    }

    @Test
    void tellsOfAMapsEndAtOnce() throws IOException {
        ask(0, 0);
        publish();
        runLast(1);
        ask(0, 1);
        publish();
        succeed();
        assertThat(runLast(3)).isZero();
        assertThat(answers.get(1))
                .extracting(SpillUpdate::kind)
                .containsExactly(SpillUpdate.Kind.AT, SpillUpdate.Kind.DONE);
    }

    @Test
    void tellsAtOnceOfAMapsEndThatCameBetweenTwoQuestions() throws IOException {
        ask(0, 0);
        publish();
        runLast(1);
        succeed();
        ask(0, 1);
        assertThat(runLast(2)).isZero();
        assertThat(answers.get(1)).hasSize(1);
    }

    @Test
    void makesManyWaitEvenForAMapsEnd() throws IOException {
        int reduces = 2000; // they are worth a second, and told in much less
        for (int reduce = 0; reduce < reduces; reduce++) {
            ask(reduce, 0);
        }
        publish();
        assertThat(runLast(1)).isZero();
        assertThat(answers).hasSize(reduces);
        ask(0, 1);
        succeed();
        assertThat(runLast(2)).as("at most a second").isBetween(1L, 1000L);
    }

    private void succeed() {
        registry.ended(MAP, spills, spills);
        assertThat(registry.succeeded(MAP, 1)).isTrue();
        questions.ended();
    }

    @Test
    void answersWithNothingWhoHasWaitedLong() {
        ask(0, 0);
        questions.expire(Long.MIN_VALUE);
        assertThat(answers).isEmpty();
        questions.expire(Long.MAX_VALUE);
        assertThat(answers).containsExactly(List.of());
        questions.expire(Long.MAX_VALUE);
        assertThat(answers).hasSize(1);
    }

    @Test
    void givesTheReducesOfAHerdSmallAnswersOneAfterTheOther() throws IOException {
        questions = new SpillQuestions(registry, thread, 100_000);
        for (int i = 0; i < 250; i++) {
            publish();
        }
        ask(0, 0);
        runLast(1);
        assertThat(answers.get(0)).hasSize(100);
        ask(0, 100);
        assertThat(runLast(2)).as("at once, as stock asks on").isZero();
        assertThat(answers.get(1)).hasSize(100);
        ask(0, 200);
        runLast(3);
        assertThat(answers.get(2)).hasSize(50);
    }

    @Test
    void forgetsTheQuestionOfABrokenConnection() throws IOException {
        ask(0, 0);
        ask(0, 0);
        publish();
        runLast(1);
        assertThat(answers).hasSize(1);
    }
}
