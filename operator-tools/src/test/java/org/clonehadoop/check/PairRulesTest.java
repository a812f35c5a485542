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
package org.clonehadoop.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PairRulesTest {
    private static final NodeFacts GOOD = Facts.good();

    @Test
    void twoOfAKindFit() {
        assertThat(PairRules.of(GOOD, Facts.good())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "tool,sha256,other,tool",
        "user,uid,36,user",
        "user,gid,36,group",
        "java,home,/other,java home",
        "java,version,17.0.16,java build",
        "java,libjvm,other,java build",
        "java,libraries,other,system libraries",
        "hadoop,home,/other,hadoop home",
        "hadoop,jars,other,hadoop jars",
        "our_jars,/hadoop/hadoop-clone-speculator.jar,other,our jars",
    })
    void whatMustBeEqualKeepsBothFromCloning(
            String object, String member, String value, String name) {
        NodeFacts other = Facts.but(facts -> ((ObjectNode) facts.get(object)).put(member, value));
        assertThat(PairRules.of(GOOD, other)).extracting(Finding::name).containsExactly(name);
        assertThat(PairRules.of(other, GOOD)).extracting(Finding::name).containsExactly(name);
    }

    @Test
    void aJarThatOnlyOneHasFits() {
        NodeFacts ofADataNode =
                Facts.but(
                        facts ->
                                ((ObjectNode) facts.get("our_jars"))
                                        .put("/hadoop/hdfs/hdfs-stream-repair.jar", "ee"));
        assertThat(PairRules.of(GOOD, ofADataNode)).isEmpty();
        assertThat(PairRules.of(ofADataNode, GOOD)).isEmpty();
        assertThat(PairRules.key(ofADataNode)).isNotEqualTo(PairRules.key(GOOD));
    }

    @Test
    void anotherPatchOfCriuFitsAndAnotherMinorVersionDoesnt() {
        assertThat(PairRules.of(GOOD, Facts.host(host -> host.put("criu", "4.2")))).isEmpty();
        assertThat(PairRules.of(GOOD, Facts.host(host -> host.put("criu", "4.3"))))
                .extracting(Finding::name)
                .containsExactly("criu");
    }

    @Test
    void aClonesKernelMayBeNewerAndNotOlder() {
        NodeFacts newer = Facts.host(host -> host.put("kernel", "6.10.2"));
        assertThat(PairRules.of(GOOD, newer)).isEmpty();
        assertThat(PairRules.of(newer, GOOD)).extracting(Finding::name).containsExactly("kernel");
    }

    @Test
    void aKernelsVersionMayHaveAnythingAppended() {
        NodeFacts built = Facts.host(host -> host.put("kernel", "6.1+x"));
        assertThat(PairRules.of(GOOD, built)).isEmpty();
        assertThat(PairRules.key(built)).isEqualTo(PairRules.key(GOOD));
        NodeFacts named = Facts.host(host -> host.put("kernel", "ours"));
        assertThat(PairRules.of(GOOD, named)).isEmpty();
        assertThat(PairRules.key(named)).isNotEqualTo(PairRules.key(GOOD));
    }

    @Test
    void aClonesCpuNeedsAllThatItsOriginalsHas() {
        NodeFacts more = Facts.cpu("avx sse2 vaes", "avx");
        assertThat(PairRules.of(GOOD, more)).isEmpty();
        assertThat(PairRules.of(more, GOOD))
                .singleElement()
                .extracting(Finding::detail)
                .isEqualTo("lacks vaes");
    }

    @Test
    void aClonesCpuMayNotHaveMoreRegistersToSave() {
        NodeFacts more = Facts.cpu("avx avx512f sse2", "avx avx512f");
        assertThat(PairRules.of(GOOD, more))
                .singleElement()
                .extracting(Finding::detail)
                .isEqualTo("has more registers to save: avx512f");
    }

    @Test
    void nodesWithTheSameKeyFit() {
        NodeFacts patched = Facts.host(host -> host.put("kernel", "6.1.99"));
        assertThat(PairRules.key(patched)).isEqualTo(PairRules.key(GOOD));
        assertThat(PairRules.key(Facts.cpu("sse2", "avx"))).isNotEqualTo(PairRules.key(GOOD));
    }
}
