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
package org.clonehadoop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

class LinePlotTest {
    @TempDir private Path directory;

    @Test
    void writesSvgWithEveryLine() throws Exception {
        LinePlot plot = new LinePlot("Freeze by memory", "image, MB", "time, ms");
        plot.line("freeze", List.of(64.0, 128.0), List.of(20.0, 40.0));
        int shapes = shapesOf(plot);
        plot.line("copy", List.of(64.0, 128.0), List.of(30.0, 60.0));
        assertThat(shapesOf(plot)).isGreaterThan(shapes);
    }

    private int shapesOf(LinePlot plot) throws Exception {
        Path file = directory.resolve("plot.svg");
        plot.write(file);
        DocumentBuilderFactory parser = DocumentBuilderFactory.newInstance();
        // Offline: the DTD is on the web.
        parser.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        Element root = parser.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
        assertThat(root.getTagName()).isEqualTo("svg");
        return root.getElementsByTagName("path").getLength();
    }
}
