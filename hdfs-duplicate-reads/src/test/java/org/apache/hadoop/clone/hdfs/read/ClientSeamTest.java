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
package org.apache.hadoop.clone.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import org.apache.hadoop.clone.seam.HadoopLine;
import org.apache.hadoop.clone.seam.KnownBuild;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

class ClientSeamTest {
    private static final ClassLoader HERE = ClientSeamTest.class.getClassLoader();

    /** Or each task's process would look at all classes. */
    @Test
    void thisBuildIsKnownAndHasAll() throws Exception {
        assertThat(KnownBuild.of(HERE, ClientSeam.sites())).isNotNull();
        assertThat(ClientSeam.shape().members()).hasSizeGreaterThan(100);
        assertThat(HadoopLine.obstacle(VersionInfo.getVersion(), ClientSeam.shape(), HERE))
                .isEmpty();
        assertThat(ClientSeam.obstacle(HERE)).isEmpty();
    }

    /** It finds nothing of Hadoop's: neither as a known build nor as one that has all. */
    @Test
    void anUnknownBuildIsLookedAt() throws Exception {
        ClassLoader none =
                new URLClassLoader(new URL[0], ClassLoader.getPlatformClassLoader()) {
                    @Override
                    public InputStream getResourceAsStream(String name) {
                        return null;
                    }
                };
        assertThat(KnownBuild.of(none, ClientSeam.sites())).isNull();
        assertThat(ClientSeam.obstacle(none))
                .hasValueSatisfying(
                        why -> assertThat(why).startsWith("this Hadoop has no org.apache.hadoop."));
    }

    /** As of a URL that nobody has encoded. */
    @Test
    void classesOfAnOddPlaceAreLookedAt() {
        ClassLoader odd =
                new ClassLoader(HERE) {
                    @Override
                    public URL getResource(String name) {
                        try {
                            return new URL("jar:file:/an odd place.jar!/" + name);
                        } catch (MalformedURLException e) {
                            throw new AssertionError(e);
                        }
                    }
                };
        assertThat(ClientSeam.obstacle(odd)).isEmpty();
    }
}
