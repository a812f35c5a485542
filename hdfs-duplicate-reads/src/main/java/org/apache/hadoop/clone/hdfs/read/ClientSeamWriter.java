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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.clone.seam.KnownBuild;

/** Lists, during the build, the classes of the Hadoop that it is built with: see ClientSeam. */
@InterfaceAudience.Private
public final class ClientSeamWriter {
    private ClientSeamWriter() {}

    /**
     * @param arguments the directory of our classes
     */
    public static void main(String[] arguments) throws IOException {
        ClassLoader hadoop = ClientSeamWriter.class.getClassLoader();
        String[] sites = ClientSeam.sites();
        Set<String> names = new TreeSet<>(List.of(sites));
        ClientSeam.shape().members().forEach(member -> names.add(member.owner()));
        List<String> lines = new ArrayList<>();
        for (String name : names) {
            lines.add(name + " " + KnownBuild.markOf(hadoop, name));
        }
        Path list = Path.of(arguments[0], KnownBuild.resource(KnownBuild.markOf(hadoop, sites[0])));
        Files.createDirectories(list.getParent());
        Files.write(list, lines);
    }
}
