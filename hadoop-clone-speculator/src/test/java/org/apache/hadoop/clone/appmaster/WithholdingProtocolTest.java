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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.lenient;
import static org.mockito.Mockito.mock;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WithholdingProtocolTest {
    /** What a ResourceManager makes of what it is told. */
    private final Set<String> blacklist = new HashSet<>();

    private int changes;
    private final ApplicationMasterProtocol manager = mock(ApplicationMasterProtocol.class);
    private Set<String> withheld = Set.of();
    private final List<Integer> nodes = new ArrayList<>();
    private boolean isGone;
    private final WithholdingProtocol protocol =
            new WithholdingProtocol(manager, () -> Set.copyOf(withheld), nodes::add);

    @BeforeEach
    void listen() throws Exception {
        lenient()
                .when(manager.allocate(any()))
                .thenAnswer(
                        call -> {
                            if (isGone) {
                                throw new IOException("it is gone");
                            }
                            AllocateRequest request = call.getArgument(0);
                            ResourceBlacklistRequest told = request.getResourceBlacklistRequest();
                            blacklist.addAll(told.getBlacklistAdditions());
                            told.getBlacklistRemovals().forEach(blacklist::remove);
                            changes +=
                                    told.getBlacklistAdditions().size()
                                            + told.getBlacklistRemovals().size();
                            return answer(3);
                        });
    }

    private static AllocateResponse answer(int clusterNodes) {
        AllocateResponse answer = Records.newRecord(AllocateResponse.class);
        answer.setNumClusterNodes(clusterNodes);
        return answer;
    }

    /** As Hadoop does, with what it blacklists itself since the last exchange. */
    private static void exchange(
            WithholdingProtocol protocol, List<String> additions, List<String> removals)
            throws Exception {
        protocol.allocate(
                AllocateRequest.newInstance(
                        1,
                        0,
                        List.of(),
                        List.of(),
                        ResourceBlacklistRequest.newInstance(additions, removals)));
    }

    private void exchange() throws Exception {
        exchange(protocol, List.of(), List.of());
    }

    private void loseAnAnswer() {
        isGone = true;
        assertThatThrownBy(this::exchange).hasMessage("it is gone");
        isGone = false;
    }

    @Test
    void whatIsWithheldIsBlacklistedForAsLong() throws Exception {
        withheld = Set.of("h1", "h2");
        exchange();
        assertThat(blacklist).containsExactlyInAnyOrder("h1", "h2");
        withheld = Set.of("h2", "h3");
        exchange();
        assertThat(blacklist).containsExactlyInAnyOrder("h2", "h3");
        withheld = Set.of();
        exchange();
        assertThat(blacklist).isEmpty();
    }

    @Test
    void whatHadoopBlacklistsStays() throws Exception {
        withheld = Set.of("h1");
        exchange(protocol, List.of("h1", "h2"), List.of());
        withheld = Set.of();
        exchange();
        assertThat(blacklist).containsExactlyInAnyOrder("h1", "h2");
        withheld = Set.of("h1");
        exchange(protocol, List.of(), List.of("h1", "h2"));
        assertThat(blacklist).containsExactly("h1");
    }

    @Test
    void whatHasNotBeenHeardIsSaidAgain() throws Exception {
        withheld = Set.of("h1");
        loseAnAnswer();
        exchange();
        assertThat(blacklist).containsExactly("h1");
    }

    /** The ResourceManager did it, and its answer was lost; to the next one it says that again. */
    @Test
    void whatWasHeardIsTakenBackThoughItsAnswerWasLost() throws Exception {
        withheld = Set.of("h1");
        loseAnAnswer();
        blacklist.add("h1");
        withheld = Set.of();
        exchange();
        blacklist.add("h1");
        exchange();
        assertThat(blacklist).isEmpty();
    }

    /** The allocator registers with one that was started anew. */
    @Test
    void aNewResourceManagerIsToldAll() throws Exception {
        withheld = Set.of("h1");
        for (int times = 0; times < 5; times++) {
            exchange();
        }
        blacklist.clear();
        protocol.registerApplicationMaster(mock(RegisterApplicationMasterRequest.class));
        exchange();
        assertThat(blacklist).containsExactly("h1");
    }

    /** Each time it writes a line in its log. */
    @Test
    void whatItKnowsItIsNotToldOverAndOver() throws Exception {
        withheld = Set.of("h1");
        for (int times = 0; times < 10; times++) {
            exchange();
        }
        assertThat(changes).isEqualTo(2);
        withheld = Set.of();
        for (int times = 0; times < 10; times++) {
            exchange();
        }
        assertThat(changes).isEqualTo(4);
    }

    @Test
    void whatFailsHereIsNoHarmToTheExchange() throws Exception {
        WithholdingProtocol broken =
                new WithholdingProtocol(
                        manager,
                        () -> {
                            throw new IllegalStateException("broken");
                        },
                        size -> {
                            throw new IllegalStateException("broken, too");
                        });
        exchange(broken, List.of("h2"), List.of());
        assertThat(blacklist).containsExactly("h2");
    }

    @Test
    void eachAnswerTellsHowManyNodesTheClusterHas() throws Exception {
        exchange();
        loseAnAnswer();
        exchange();
        assertThat(nodes).containsExactly(3, 3);
    }
}
