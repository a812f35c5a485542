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
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.VersionedProtocol;

/**
 * Real RPCs of Hadoop within one process, for {@link HookWriterTest}: run among classes that have
 * their hooks, so it can't use a test framework.
 */
abstract class RpcProbe implements Callable<String> {
    private static final long LONG_MILLIS = 30_000;

    /** What is called. */
    interface Echo extends VersionedProtocol {
        long versionID = 1;

        /**
         * @throws IOException if the word is empty
         */
        String echo(String word) throws IOException;
    }

    private static final class Echoing implements Echo {
        @Override
        public String echo(String word) throws IOException {
            if (word.isEmpty()) {
                throw new IOException("nothing to say");
            }
            return word;
        }

        @Override
        public long getProtocolVersion(String protocol, long clientVersion) {
            return versionID;
        }

        @Override
        public ProtocolSignature getProtocolSignature(
                String protocol, long clientVersion, int clientMethodsHash) {
            return new ProtocolSignature(versionID, null);
        }
    }

    /** Does its calls, and says in a few words what it saw. */
    abstract String with(Echo proxy) throws Exception;

    @Override
    public final String call() throws Exception {
        Configuration conf = new Configuration(false);
        RPC.Server server =
                new RPC.Builder(conf)
                        .setProtocol(Echo.class)
                        .setInstance(new Echoing())
                        .setBindAddress("127.0.0.1")
                        .setPort(0)
                        .setNumHandlers(1)
                        .build();
        server.start();
        try {
            Echo proxy =
                    RPC.getProxy(Echo.class, Echo.versionID, server.getListenerAddress(), conf);
            try {
                return with(proxy);
            } finally {
                RPC.stopProxy(proxy);
            }
        } finally {
            server.stop();
        }
    }

    /** Calls wait at a closed gate, the closing thread's own ones don't. */
    static final class AtClosedGate extends RpcProbe {
        @Override
        String with(Echo proxy) throws Exception {
            TaskHooks.GATE.close(LONG_MILLIS);
            FutureTask<String> call = new FutureTask<>(() -> proxy.echo("answered"));
            Thread caller = new Thread(call, "caller");
            caller.setDaemon(true);
            caller.start();
            String own;
            try {
                while (!waitsAtGate(caller)) {
                    Thread.onSpinWait();
                }
                own = proxy.echo("own call passed");
                if (call.isDone()) {
                    return "didn't wait";
                }
            } finally {
                TaskHooks.GATE.open();
            }
            return own + ", then " + call.get();
        }

        private static boolean waitsAtGate(Thread thread) {
            return thread.getState() == Thread.State.WAITING
                    && Arrays.stream(thread.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(Gate.class.getName()));
        }
    }

    /** A call that fails is over as well. */
    static final class AfterFailure extends RpcProbe {
        @Override
        String with(Echo proxy) throws Exception {
            Thread caller =
                    new Thread(
                            () -> {
                                try {
                                    proxy.echo("");
                                } catch (IOException e) {
                                    return;
                                }
                                throw new IllegalStateException("didn't fail");
                            });
            caller.start();
            caller.join();
            return TaskHooks.GATE.close(0) ? "closed" : "still under way";
        }
    }

    /** Every client is known, since each has an id to be renewed. */
    static final class Clients extends RpcProbe {
        @Override
        String with(Echo proxy) throws Exception {
            proxy.echo("hello");
            return TaskHooks.CLIENTS.size() + " " + TaskHooks.CLIENTS.iterator().next().getClass();
        }
    }
}
