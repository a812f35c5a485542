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
package org.clonehadoop.benchmarks.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.map.InverseMapper;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CrawlInstallerTest {
    private final Configuration job = new Configuration(false);

    @BeforeEach
    void aJobThatIsToCrawl() {
        job.set(Crawl.ATTEMPTS, "m_000000_0");
    }

    @Test
    void hadoopFindsItByItsService() {
        assertThat(ServiceLoader.load(ClientProtocolProvider.class))
                .anyMatch(CrawlInstaller.class::isInstance);
    }

    @Test
    void aMapperOfTheNewInterfaceIsWrapped() {
        job.set("mapred.mapper.new-api", "true");
        job.set("mapreduce.job.map.class", InverseMapper.class.getName());
        new CrawlInstaller().create(job);
        assertThat(job.get("mapreduce.job.map.class")).isEqualTo(CrawlingMapper.class.getName());
        assertThat(job.get(CrawlingMapper.MAPPER)).isEqualTo(InverseMapper.class.getName());
    }

    @Test
    void aJobThatIsSubmittedOnceMoreIsWrappedOnce() {
        aMapperOfTheNewInterfaceIsWrapped();
        new CrawlInstaller().create(job);
        assertThat(job.get(CrawlingMapper.MAPPER)).isEqualTo(InverseMapper.class.getName());
    }

    @Test
    void runnerAndReducerOfTheOldInterfaceAreWrapped() {
        job.set("mapred.mapper.new-api", "false");
        job.set("mapred.reducer.new-api", "false");
        new CrawlInstaller().create(job);
        assertThat(job.get("mapred.map.runner.class")).isEqualTo(CrawlingRunner.class.getName());
        assertThat(job.get("mapred.reducer.class")).isEqualTo(CrawlingOldReducer.class.getName());
        assertThat(job.get("mapreduce.job.map.class")).isNull();
    }

    @Test
    void whatIsNoJobYetStaysAsItIs() {
        int before = job.size();
        new CrawlInstaller().create(job);
        assertThat(job.size()).isEqualTo(before);
    }

    @Test
    void aJobThatIsNotToCrawlStaysAsItIs() {
        job.unset(Crawl.ATTEMPTS);
        job.set("mapred.mapper.new-api", "true");
        new CrawlInstaller().create(job);
        assertThat(job.get("mapreduce.job.map.class")).isNull();
    }
}
