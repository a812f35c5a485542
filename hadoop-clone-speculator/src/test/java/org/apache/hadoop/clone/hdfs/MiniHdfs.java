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
package org.apache.hadoop.clone.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * Builds HDFS clusters in a JVM where tests run beside each other: one after another. A NameNode
 * that begins fills the tables of its {@code ErasureCodingPolicyManager}, of which a JVM has one
 * for all its NameNodes, and nothing keeps two threads apart there: one of them then fails with a
 * NullPointerException of TreeMap's.
 */
public final class MiniHdfs {
    private MiniHdfs() {}

    /** As {@link MiniDFSCluster.Builder#build}. */
    public static synchronized MiniDFSCluster build(MiniDFSCluster.Builder cluster)
            throws IOException {
        return cluster.build();
    }
}
