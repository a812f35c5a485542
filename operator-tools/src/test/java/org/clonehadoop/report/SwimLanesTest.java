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
package org.clonehadoop.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class SwimLanesTest {
    private static final Attempt ORIGINAL =
            new Attempt(
                    "attempt_1_0001_m_000000_0", "t", "MAP", "h1", 10_000, 50_000, "KILLED", null);
    private static final Attempt CLONE =
            new Attempt(
                    "attempt_1_0001_m_000000_1",
                    "t",
                    "MAP",
                    "h2",
                    30_000,
                    50_000,
                    "SUCCEEDED",
                    ORIGINAL.id());

    @Test
    void barsAreInScaleAndOneBelowTheOther() throws Exception {
        List<Element> bars = bars(draw(ORIGINAL, CLONE));
        assertThat(bars).hasSize(2);
        assertThat(number(bars.get(0), "width")).isCloseTo(760 * 0.4, within(0.1));
        assertThat(number(bars.get(1), "width")).isCloseTo(760 * 0.2, within(0.1));
        assertThat(number(bars.get(1), "x") - number(bars.get(0), "x"))
                .isCloseTo(760 * 0.2, within(0.1));
        assertThat(number(bars.get(1), "y")).isGreaterThan(number(bars.get(0), "y"));
        assertThat(bars.get(0).getAttribute("fill")).isNotEqualTo(bars.get(1).getAttribute("fill"));
    }

    @Test
    void aCloneBranchesOffItsOriginal() throws Exception {
        Document svg = draw(ORIGINAL, CLONE);
        List<Element> paths = elements(svg, "path");
        assertThat(paths).hasSize(1);
        List<Element> bars = bars(svg);
        String[] d = paths.get(0).getAttribute("d").split(" ");
        assertThat(Double.parseDouble(d[2])).isEqualTo(number(bars.get(0), "y") + 7);
        assertThat(Double.parseDouble(d[8])).isEqualTo(number(bars.get(1), "x"));
        assertThat(Double.parseDouble(d[9])).isEqualTo(number(bars.get(1), "y") + 7);
    }

    @Test
    void whatBeganAtZeroHasNoBranch() throws Exception {
        assertThat(elements(draw(ORIGINAL), "path")).isEmpty();
    }

    @Test
    void titlesAreEscaped() throws Exception {
        assertThat(elements(draw(ORIGINAL), "text").get(0).getTextContent())
                .isEqualTo("a <b> & c: 100.0 s");
    }

    @Test
    void theAxisHasFiveToTenRoundSteps() {
        assertThat(SwimLanes.step(100)).isEqualTo(10);
        assertThat(SwimLanes.step(101)).isEqualTo(20);
        assertThat(SwimLanes.step(7)).isCloseTo(1, within(1e-9));
    }

    private static Document draw(Attempt... attempts) throws Exception {
        Job job =
                new Job(
                        "job_1_0001",
                        "x",
                        "SUCCEEDED",
                        0,
                        100_000,
                        Map.of(),
                        Map.of(),
                        0,
                        List.of(attempts));
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(SwimLanes.svg("a <b> & c", job))));
    }

    private static List<Element> bars(Document svg) {
        return elements(svg, "rect").stream()
                .filter(rectangle -> rectangle.getElementsByTagName("title").getLength() > 0)
                .toList();
    }

    private static List<Element> elements(Document svg, String name) {
        NodeList nodes = svg.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    @Test
    void labelsHaveHostsWithoutDomains() {
        assertThat(SwimLanes.shortHost("worker-12.rack.example.com")).isEqualTo("worker-12");
        assertThat(SwimLanes.shortHost("10.0.12.34")).isEqualTo("10.0.12.34");
    }
}
