package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.Mockito;

@Timeout(60)
class RunningReduceTest {
    @Test
    void fetchesOnWhateverElseGoesWrong() throws Exception {
        RunningReduce reduce =
                new RunningReduce(TaskJvm.reduce(1), new JobConf(), Thread.currentThread(), null);
        TaskOutput broken = Mockito.mock(TaskOutput.class);
        Mockito.doThrow(IllegalStateException.class).when(broken).release();
        Fields.set(reduce, "output", broken);
        // It doesn't reduce, and so isn't parked; but its fetches are held.
        assertThat(reduce.park(1000, new Patience(1000))).isPresent();

        assertThatThrownBy(reduce::release).isInstanceOf(IllegalStateException.class);
        assertThat(TaskHooks.FETCHES.close(0)).as("it was open").isTrue();
        TaskHooks.FETCHES.open();
        assertThatThrownBy(TaskHooks.FETCHES::open)
                .isInstanceOf(IllegalMonitorStateException.class);
    }
}
