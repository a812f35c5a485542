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
package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.clone.protocol.SpillNotice;
import org.apache.hadoop.clone.protocol.SpillProtocol;
import org.apache.hadoop.clone.protocol.SpillUpdate;
import org.apache.hadoop.clone.protocol.SpillUpdates;
import org.apache.hadoop.clone.shuffle.SpillRegistry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.token.Token;

/**
 * The AppMaster as maps that publish spills and reduces know it; the registry behind it is the real
 * one.
 */
final class SpillServer implements SpillProtocol, AutoCloseable {
    final SpillRegistry registry = new SpillRegistry();
    final List<TaskAttemptID> published = new CopyOnWriteArrayList<>();

    /** Questions of reduces, answered when they are let go. */
    final HeldCalls questions = new HeldCalls();

    private final AtomicInteger asked = new AtomicInteger();
    private final String host;
    private final RPC.Server server;

    SpillServer(String job, Token<JobTokenIdentifier> token) throws IOException {
        this(job, token, "127.0.0.1");
    }

    /**
     * @param host address of this machine at which it listens
     */
    SpillServer(String job, Token<JobTokenIdentifier> token, String host) throws IOException {
        this.host = host;
        JobTokenSecretManager secrets = new JobTokenSecretManager();
        secrets.addTokenForJob(job, token);
        server =
                new RPC.Builder(new Configuration(false))
                        .setProtocol(SpillProtocol.class)
                        .setInstance(this)
                        .setBindAddress(host)
                        .setPort(0)
                        .setNumHandlers(3)
                        .setSecretManager(secrets)
                        .build();
        server.start();
    }

    String address() {
        return host + ":" + server.getListenerAddress().getPort();
    }

    long publishedBy(TaskAttemptID attempt) {
        return published.stream().filter(attempt::equals).count();
    }

    /** Where a reduce that starts now fetches the map's spills, in their order. */
    List<SpillUpdate> places() {
        SpillUpdate[] places = new SpillUpdate[published.size()];
        for (SpillUpdate update : registry.updates(0, 0, Integer.MAX_VALUE)) {
            if (update.kind() == SpillUpdate.Kind.AT) {
                places[update.spill()] = update;
            } else if (update.kind() == SpillUpdate.Kind.DONE) {
                return Arrays.asList(places).subList(0, update.spill());
            }
        }
        throw new IllegalStateException("the map isn't done");
    }

    /** An attempt's number stands for its host. */
    @Override
    public void spillFinished(TaskAttemptID map, SpillNotice notice) throws IOException {
        registry.finished(map, notice, "http://" + map.getId());
        published.add(map);
    }

    @Override
    public void spillsEnded(TaskAttemptID map, int spills, long chain) {
        registry.ended(map, spills, chain);
    }

    @Override
    public void startAgain(TaskAttemptID reduce) {
        throw new UnsupportedOperationException("no spill is void here");
    }

    @Override
    public boolean startElsewhere(TaskAttemptID reduce, String why) {
        throw new UnsupportedOperationException("every reduce can fetch here");
    }

    @Override
    public SpillUpdates spillUpdates(TaskAttemptID reduce, int from) throws IOException {
        asked.incrementAndGet();
        try {
            questions.pass();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return new SpillUpdates(
                registry.updates(reduce.getTaskID().getId(), from, Integer.MAX_VALUE));
    }

    /** How often reduces have asked. */
    int asked() {
        return asked.get();
    }

    @Override
    public void close() {
        server.stop();
    }
}
