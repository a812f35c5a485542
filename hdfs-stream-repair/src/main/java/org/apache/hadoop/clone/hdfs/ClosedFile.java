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

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * A file that was written and closed before the process was cloned, and isn't committed yet.
 *
 * @param path without the file system
 * @param status as it was then
 * @param blocks as they were then
 */
record ClosedFile(String path, HdfsFileStatus status, List<ExtendedBlock> blocks) {
    static ClosedFile of(HdfsLocatedFileStatus status) {
        return new ClosedFile(
                status.getPath().toUri().getPath(),
                status,
                status.getLocatedBlocks().getLocatedBlocks().stream()
                        .map(LocatedBlock::getBlock)
                        .toList());
    }

    /** Of the NameNode. */
    long fileId() {
        return status.getFileId();
    }

    /** Of its blocks; empty if it has none. */
    String pool() {
        return blocks.isEmpty() ? "" : blocks.get(0).getBlockPoolId();
    }

    /** Why a clone can't have it. */
    Optional<String> obstacle() {
        if (status.getErasureCodingPolicy() != null) {
            return Optional.of(path + " is erasure coded");
        }
        if (status.getFileEncryptionInfo() != null) {
            return Optional.of(path + " is encrypted");
        }
        return Optional.empty();
    }
}
