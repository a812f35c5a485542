package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
    private final ProcessIdentity now = ProcessIdentity.current();

    @Test
    void isOfOneProcess() throws Exception {
        assertThat(now.isStillThisProcess()).isTrue();
    }

    /** Each kernel counts its namespaces by itself. */
    @Test
    void isAnothersWithTheSameNumberOnAnotherKernel() throws Exception {
        assertThat(new ProcessIdentity(now.pidNamespace(), "another boot").isStillThisProcess())
                .isFalse();
    }

    @Test
    void isAnothersInAnotherNamespaceOfTheSameKernel() throws Exception {
        assertThat(new ProcessIdentity("pid:[1]", now.bootId()).isStillThisProcess()).isFalse();
    }
}
