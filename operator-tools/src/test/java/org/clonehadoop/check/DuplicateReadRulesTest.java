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

import java.util.List;
import org.clonehadoop.check.NodeFacts.DuplicateReads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DuplicateReadRulesTest {
    private static DuplicateReads facts(String jar, String trafficClass, List<String> qdiscs) {
        return new DuplicateReads(
                jar,
                trafficClass,
                "",
                "",
                true,
                List.of(new DuplicateReads.Link("eth0", qdiscs)),
                List.of(new DuplicateReads.Disk("sda", "bfq")));
    }

    private static DuplicateReads disk(
            String scheduler, String ioClass, String yield, boolean ionice) {
        return new DuplicateReads(
                "/a.jar",
                "",
                ioClass,
                yield,
                ionice,
                List.of(new DuplicateReads.Link("eth0", List.of("pfifo_fast"))),
                List.of(new DuplicateReads.Disk("sda", scheduler)));
    }

    private static List<Finding> of(DuplicateReads facts, String name) {
        return DuplicateReadRules.of(facts).stream()
                .filter(finding -> finding.name().equals(name))
                .toList();
    }

    @Test
    void whereTheyArentConfiguredNothingIsSaid() {
        assertThat(DuplicateReadRules.of(null)).isEmpty();
        assertThat(NodeRules.of(Facts.node("h1", Facts.good())))
                .extracting(Finding::name)
                .noneMatch(name -> name.contains("duplicate"));
    }

    @Test
    void theProbesWordsAreUnderstood() {
        NodeFacts facts =
                Facts.but(
                        node -> {
                            var reads = node.putObject("duplicate_reads");
                            reads.put("traffic_class", "").put("io_class", "").put("yield", "");
                            reads.put("ionice", true).put("jar", "/a.jar");
                            var link = reads.putArray("links").addObject();
                            link.put("device", "eth0").putArray("qdiscs").add("fq_codel");
                            var disk = reads.putArray("disks").addObject();
                            disk.put("device", "sda").put("scheduler", "bfq");
                        });
        assertThat(NodeRules.of(Facts.node("h1", facts)))
                .filteredOn(finding -> finding.name().contains("duplicate"))
                .extracting(Finding::status)
                .containsExactly(Finding.Status.PASS, Finding.Status.WARN, Finding.Status.PASS);
    }

    @Test
    void aDataNodeWithoutTheJarIsWarnedOf() {
        assertThat(of(facts(null, "", List.of("pfifo_fast")), "duplicate reads"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.fix()).contains("share/hadoop/hdfs"));
    }

    @ParameterizedTest
    @CsvSource({
        "pfifo_fast, PASS",
        "prio fq_codel, PASS",
        "mq pfifo_fast, PASS",
        "tbf pfifo_fast, PASS",
        "mq fq_codel, WARN",
        "mq fq_codel pfifo_fast, WARN",
        "mq, WARN",
        "fq, WARN",
        "htb pfifo_fast, WARN",
        "'', WARN",
    })
    void theQueueMustHaveStrictBands(String qdiscs, Finding.Status status) {
        List<String> kinds = qdiscs.isEmpty() ? List.of() : List.of(qdiscs.split(" "));
        assertThat(of(facts("/a.jar", "", kinds), "duplicates' network"))
                .singleElement()
                .extracting(Finding::status)
                .isEqualTo(status);
    }

    @Test
    void aBridgesQueueIsBelowIt() {
        DuplicateReads bridgeOnly = facts("/a.jar", "", List.of("noqueue"));
        assertThat(of(bridgeOnly, "duplicates' network"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.fix()).contains("below"));
        DuplicateReads both =
                new DuplicateReads(
                        "/a.jar",
                        "8",
                        "",
                        "",
                        true,
                        List.of(
                                new DuplicateReads.Link("br0", List.of("noqueue")),
                                new DuplicateReads.Link("eth0", List.of("prio"))),
                        List.of());
        assertThat(of(both, "duplicates' network"))
                .singleElement()
                .isEqualTo(Finding.pass("duplicates' network", "eth0: prio"));
    }

    @ParameterizedTest
    @CsvSource({"8, PASS", "10, PASS", "40, PASS", "0, WARN", "16, WARN", "32, WARN", "x, PASS"})
    void onlyBulkIsInTheLowestBand(String trafficClass, Finding.Status status) {
        assertThat(of(facts("/a.jar", trafficClass, List.of("pfifo_fast")), "duplicates' network"))
                .singleElement()
                .extracting(Finding::status)
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "bfq, '', '', PASS",
        "mq-deadline, idle, volume, PASS",
        "none, '', '', WARN",
        "kyber, '', node, WARN",
        "'', '', '', WARN",
        "mq-deadline, '', none, WARN",
        "bfq, '', none, PASS",
    })
    void theDiskMustKnowClasses(
            String scheduler, String ioClass, String yield, Finding.Status status) {
        assertThat(of(disk(scheduler, ioClass, yield, true), "duplicates' disks"))
                .singleElement()
                .extracting(Finding::status)
                .isEqualTo(status);
    }

    @Test
    void withoutAClassNoSchedulerIsAskedFor() {
        assertThat(of(disk("none", "none", "", false), "duplicates' disks")).isEmpty();
    }

    @Test
    void ioniceIsNeededForTheClass() {
        assertThat(of(disk("bfq", "", "", false), "duplicates' disks"))
                .extracting(Finding::status)
                .containsExactly(Finding.Status.WARN, Finding.Status.PASS);
    }
}
