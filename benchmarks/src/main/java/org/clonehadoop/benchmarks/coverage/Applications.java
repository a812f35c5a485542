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

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationsRequest;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * The jobs of a program, which may run several and tell nobody: by a tag that it gives them all.
 */
final class Applications implements AutoCloseable {
    private final YarnClient client = YarnClient.createYarnClient();

    Applications(Configuration conf) {
        client.init(conf);
        client.start();
    }

    /** Their ids, first submitted first. */
    List<String> jobs(String tag) throws IOException {
        GetApplicationsRequest tagged = GetApplicationsRequest.newInstance();
        tagged.setApplicationTags(Set.of(tag));
        try {
            return client.getApplications(tagged).stream()
                    .map(found -> found.getApplicationId())
                    .sorted()
                    .map(id -> TypeConverter.fromYarn(id).toString())
                    .toList();
        } catch (YarnException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        client.stop();
    }
}
