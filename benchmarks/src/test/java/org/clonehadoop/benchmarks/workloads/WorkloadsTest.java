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
package org.clonehadoop.benchmarks.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By Hadoop's LocalJobRunner. */
class WorkloadsTest {
    @TempDir private Path folder;

    private void run(org.apache.hadoop.util.Tool tool, Object... arguments) throws Exception {
        String[] texts = new String[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = arguments[i].toString();
        }
        assertThat(ToolRunner.run(new Configuration(), tool, texts)).isZero();
    }

    private Path input(String text) throws Exception {
        Path in = Files.createDirectory(folder.resolve("in"));
        Files.writeString(in.resolve("part-00000"), text);
        return in;
    }

    private String output(int iteration) throws Exception {
        return Files.readString(folder.resolve("out/iteration-" + iteration + "/part-r-00000"));
    }

    @Test
    void aPagesRankIsWhatOthersGiveItAndItsShareOfTheJumps() throws Exception {
        Path in = input("0\t1000000000 1 2\n1\t1000000000 0\n2\t1000000000\n");

        run(new PageRank(), "rank", in, folder.resolve("out"), 2);

        // 0.15 + 0.85 of: all of page 1's; half of page 0's; the same.
        assertThat(output(1)).isEqualTo("0\t1000000000 1 2\n1\t575000000 0\n2\t575000000\n");
        assertThat(output(2)).isEqualTo("0\t638750000 1 2\n1\t575000000 0\n2\t575000000\n");
    }

    @Test
    void aWebIsTheSameEachTime() throws Exception {
        run(new PageRank(), "make", folder.resolve("a"), 1000);
        run(new PageRank(), "make", folder.resolve("b"), 1000);

        String page = Files.readAllLines(folder.resolve("a/part-00003")).get(7);
        assertThat(page).matches("382\t1000000000( \\d{1,3})*");
        assertThat(folder.resolve("b/part-00003"))
                .hasSameTextualContentAs(folder.resolve("a/part-00003"));
    }

    @Test
    void centresMoveToTheMiddleOfTheirPoints() throws Exception {
        run(new KMeans(), "make", folder.resolve("in"), 500);

        run(new KMeans(), "cluster", folder.resolve("in"), folder.resolve("out"), 6);

        // Lloyd's algorithm ends where nothing moves any more; these points take fewer than six.
        assertThat(output(6)).isEqualTo(output(5)).isNotEqualTo(output(1));
    }

    @Test
    void ofTwoCentresThatAreAsFarTheFirstIsTaken() {
        long[][] centres = {{9, 9}, {0, 2}, {2, 0}};

        assertThat(KMeans.nearest(new long[] {0, 0}, centres)).isEqualTo(1);
        assertThat(KMeans.nearest(new long[] {8, 8}, centres)).isZero();
    }
}
