package org.apache.hadoop.clone.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
    private final ProcessIdentity now = ProcessIdentity.current();

    @Test
    void isOfOneProcess() {
        assertThat(now.isStillThisProcess()).isTrue();
    }

    /** Each kernel counts its namespaces by itself. */
    @Test
    void isAnothersWithTheSameNumberOnAnotherKernel() {
        assertThat(new ProcessIdentity(now.pidNamespace(), "another boot").isStillThisProcess())
                .isFalse();
    }

    @Test
    void isAnothersInAnotherNamespaceOfTheSameKernel() {
        assertThat(new ProcessIdentity("pid:[1]", now.bootId()).isStillThisProcess()).isFalse();
    }
}
