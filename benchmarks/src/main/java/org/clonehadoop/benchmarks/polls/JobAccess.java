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
package org.clonehadoop.benchmarks.polls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/**
 * How a job's tasks reach a server of its AppMaster.
 *
 * @param address {@code host:port}
 */
public record JobAccess(String address, String job, Token<JobTokenIdentifier> token) {
    private static final String JOB = "job_1_0001";

    /** With a new token, which the server has to accept. */
    public static JobAccess to(String address) {
        return new JobAccess(
                address,
                JOB,
                new Token<>(new JobTokenIdentifier(new Text(JOB)), new JobTokenSecretManager()));
    }

    /** The file is there when it is whole. */
    public void write(Path file) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.write(temporary, List.of(address, job, token.encodeToUrlString()));
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }

    static JobAccess read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        Token<JobTokenIdentifier> token = new Token<>();
        token.decodeFromUrlString(lines.get(2));
        return new JobAccess(lines.get(0), lines.get(1), token);
    }

    InetSocketAddress socketAddress() {
        return NetUtils.createSocketAddr(address);
    }

    /** One of the job's tasks, who can prove it. */
    UserGroupInformation user() {
        Token<JobTokenIdentifier> ours = new Token<>(token);
        SecurityUtil.setTokenService(ours, socketAddress());
        UserGroupInformation user = UserGroupInformation.createRemoteUser(job);
        user.addToken(ours);
        return user;
    }
}
