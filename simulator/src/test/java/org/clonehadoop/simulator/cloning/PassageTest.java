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
package org.clonehadoop.simulator.cloning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.clonehadoop.simulator.engine.Timeline;
import org.clonehadoop.simulator.mapreduce.CloneLead;
import org.clonehadoop.simulator.mapreduce.JobSpec;
import org.clonehadoop.simulator.platform.CostBook;
import org.clonehadoop.simulator.platform.HostSpec;
import org.clonehadoop.simulator.platform.Load;
import org.clonehadoop.simulator.platform.Resource;
import org.clonehadoop.simulator.platform.SimHost;
import org.junit.jupiter.api.Test;

/** With what an AppMaster would say of the original. */
class PassageTest {
    private static final HostSpec HOST = new HostSpec(2, 100, 90, 3);
    private static final double FILES = 900;
    private static final double IMAGE = 400;

    private final Timeline timeline = new Timeline(0);
    private final SimHost from = new SimHost("h1", HOST, timeline);
    private final SimHost to = new SimHost("h2", HOST, timeline);
    private final TaskAttemptId original = mock(TaskAttemptId.class);
    private final CloneLead.Site site = mock(CloneLead.Site.class);
    private final List<Long> ends = new ArrayList<>();

    private Passage passage(CostBook costs, double files) {
        when(site.timeline()).thenReturn(timeline);
        when(site.spec()).thenReturn(JobSpec.ofThePaper().withCosts(costs));
        when(site.hostOf(original)).thenReturn(from);
        when(site.isUnderWay(original)).thenReturn(true);
        when(site.fileMegabytes(original)).thenReturn(files);
        when(site.imageMegabytes(original)).thenReturn(costs.memoryMegabytes());
        return new Passage(site, original, to);
    }

    /** From the launch on. */
    private double run(Passage passage) {
        passage.begin(
                () ->
                        passage.freeze(
                                site.imageMegabytes(original), () -> ends.add(timeline.getTime())));
        timeline.run(() -> !ends.isEmpty(), 1_000_000);
        return ends.get(0);
    }

    @Test
    void byThePaperItTakesFifteenSecondsAndItsFilesAndAllOfItIsAFreeze() {
        Passage passage = passage(CostBook.paper(), FILES);

        assertThat(passage.millis()).isCloseTo(15_000 + FILES / 0.04, within(1.0));
        assertThat(run(passage)).isCloseTo(15_000 + FILES / 0.04, within(2.0));
        assertThat((double) passage.frozenMillis()).isCloseTo(ends.get(0), within(1.0));
    }

    @Test
    void asMeasuredItsImageTravelsAsFilesDoAndTheFreezeIsShort() {
        Passage passage = passage(CostBook.measured(), FILES);

        doAnswer(call -> ends.add(-timeline.getTime())).when(site).freeze(original);
        assertThat(-run(passage)).as("after its files").isCloseTo(600 + FILES / 0.09, within(2.0));
        timeline.run(() -> ends.size() == 2, 1_000_000);
        assertThat((double) ends.get(1)).isCloseTo(1500 + (FILES + IMAGE) / 0.09, within(3.0));
        assertThat(passage.frozenMillis()).isEqualTo(81);
        assertThat(passage.travelled().fileBytes()).isEqualTo(900 << 20);
        assertThat(passage.travelled().imageBytes()).isEqualTo(400 << 20);
    }

    @Test
    void aSlowLinkOfEitherHostIsWhatItTakes() {
        from.slowDown(Resource.NET, 0.25);
        Passage passage = passage(CostBook.measured(), FILES);

        double expected = 1500 + (FILES + IMAGE) / 0.0225;
        assertThat(passage.millis()).isCloseTo(expected, within(1.0));
        assertThat(run(passage)).isCloseTo(expected, within(3.0));
    }

    @Test
    void whatElseUsesTheLinkIsSlowedDownByIt() {
        List<Long> others = new ArrayList<>();
        from.begin(new Load(0, 0, 900), 1, () -> others.add(timeline.getTime()));
        Passage passage = passage(CostBook.measured(), 0);

        run(passage);
        timeline.run(() -> !others.isEmpty(), 1_000_000);

        assertThat(others.get(0)).isBetween(10_000L + 4400, 10_000L + 4500);
    }

    @Test
    void processorsThatOthersUseMakeItSlower() {
        for (int i = 0; i < 3; i++) {
            to.begin(new Load(1000, 0, 0), 1, () -> {});
        }

        assertThat(passage(CostBook.measured(), FILES).millis())
                .isCloseTo(3000 + (FILES + IMAGE) / 0.09, within(1.0));
    }

    @Test
    void onceItIsStoppedNothingTravelsAndTheOriginalGoesOn() {
        Passage passage = passage(CostBook.paper(), FILES);
        passage.begin(
                () ->
                        passage.freeze(
                                site.imageMegabytes(original), () -> ends.add(timeline.getTime())));
        timeline.after(5000, passage::stop);
        List<Long> later = new ArrayList<>();
        timeline.after(
                6000, () -> from.begin(new Load(0, 0, 90), 1, () -> later.add(timeline.getTime())));

        timeline.run(() -> !later.isEmpty(), 1_000_000);

        assertThat(later.get(0)).isBetween(7000L, 7001L);
        assertThat(ends).isEmpty();
        verify(site).thaw(original);
    }

    @Test
    void whatIsStoppedBeforeItsFreezeLeavesTheOriginalAlone() {
        passage(CostBook.measured(), FILES).stop();

        verify(site, never()).thaw(any());
    }
}
