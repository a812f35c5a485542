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

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import javax.crypto.SecretKey;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.security.SecureShuffleUtils;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleHeader;

/**
 * Some NodeManagers' shuffle services, with the outputs of a job's maps. Each map has other keys;
 * every fourth output is so large that a reduce fetches it to its disk.
 */
final class MapOutputServer implements AutoCloseable {
    static final int HOSTS = 3;

    private static final int SMALL = 40;
    private static final int LARGE = 1200;
    private static final int VALUE_BYTES = 300;

    /** How long each output takes. */
    volatile long nanosEach;

    private final int maps;
    private final String scheme;
    private final SecretKey secret;
    private final List<HttpServer> hosts = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<Integer, Integer> served = new ConcurrentHashMap<>();

    MapOutputServer(int maps, byte[] jobTokenPassword) throws IOException {
        this(maps, jobTokenPassword, "http", address -> HttpServer.create(address, 0));
    }

    /** Over TLS. */
    MapOutputServer(int maps, byte[] jobTokenPassword, SSLContext tls) throws IOException {
        this(
                maps,
                jobTokenPassword,
                "https",
                address -> {
                    HttpsServer host = HttpsServer.create(address, 0);
                    host.setHttpsConfigurator(new HttpsConfigurator(tls));
                    return host;
                });
    }

    private interface Hosting {
        HttpServer at(InetSocketAddress address) throws IOException;
    }

    private MapOutputServer(int maps, byte[] jobTokenPassword, String scheme, Hosting hosting)
            throws IOException {
        this.maps = maps;
        this.scheme = scheme;
        secret = JobTokenSecretManager.createSecretKey(jobTokenPassword);
        for (int i = 0; i < HOSTS; i++) {
            HttpServer host = hosting.at(new InetSocketAddress("127.0.0.1", 0));
            host.setExecutor(threads);
            host.createContext("/mapOutput", this::serve);
            host.start();
            hosts.add(host);
        }
    }

    /** The events of the first maps. */
    List<TaskCompletionEvent> completed(int count) {
        List<TaskCompletionEvent> events = new ArrayList<>();
        for (int map = 0; map < count; map++) {
            events.add(
                    new TaskCompletionEvent(
                            map,
                            new TaskAttemptID(
                                    TaskJvm.REDUCE.getJobID().getJtIdentifier(),
                                    TaskJvm.REDUCE.getJobID().getId(),
                                    TaskType.MAP,
                                    map,
                                    0),
                            map,
                            true,
                            TaskCompletionEvent.Status.SUCCEEDED,
                            scheme
                                    + "://127.0.0.1:"
                                    + hosts.get(map % HOSTS).getAddress().getPort()));
        }
        return events;
    }

    /** Outputs that have been sent, each as often as that was. */
    int served() {
        return served.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Outputs that were sent to more than one process, or more than once. */
    long servedAgain() {
        return served.values().stream().filter(times -> times > 1).count();
    }

    /** What a reduce that only sorts makes of all of them. */
    String sorted() {
        SortedMap<Long, String> records = new TreeMap<>();
        for (int map = 0; map < maps; map++) {
            records.putAll(records(map));
        }
        StringBuilder lines = new StringBuilder();
        records.forEach((key, value) -> lines.append(key).append('\t').append(value).append('\n'));
        return lines.toString();
    }

    private SortedMap<Long, String> records(int map) {
        SortedMap<Long, String> records = new TreeMap<>();
        int count = map % 4 == 0 ? LARGE : SMALL;
        for (int i = 0; i < count; i++) {
            long key = (long) i * maps + map;
            records.put(key, Long.toString(key).repeat(VALUE_BYTES).substring(0, VALUE_BYTES));
        }
        return records;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String hash =
                    exchange.getRequestHeaders().getFirst(SecureShuffleUtils.HTTP_HEADER_URL_HASH);
            exchange.getResponseHeaders()
                    .add(
                            SecureShuffleUtils.HTTP_HEADER_REPLY_URL_HASH,
                            SecureShuffleUtils.generateHash(
                                    hash.getBytes(StandardCharsets.UTF_8), secret));
            exchange.getResponseHeaders()
                    .add(ShuffleHeader.HTTP_HEADER_NAME, ShuffleHeader.DEFAULT_HTTP_HEADER_NAME);
            exchange.getResponseHeaders()
                    .add(
                            ShuffleHeader.HTTP_HEADER_VERSION,
                            ShuffleHeader.DEFAULT_HTTP_HEADER_VERSION);
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, 0);
            DataOutputStream out = new DataOutputStream(exchange.getResponseBody());
            String query = exchange.getRequestURI().getQuery();
            for (String map : query.substring(query.indexOf("&map=") + 5).split(",")) {
                LockSupport.parkNanos(nanosEach);
                send(TaskAttemptID.forName(map), out);
            }
            out.close();
        }
    }

    private void send(TaskAttemptID map, DataOutputStream to) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        IFile.Writer<LongWritable, Text> writer =
                new IFile.Writer<>(
                        new Configuration(false),
                        new FSDataOutputStream(bytes, null),
                        LongWritable.class,
                        Text.class,
                        null,
                        null,
                        true);
        for (Map.Entry<Long, String> record : records(map.getTaskID().getId()).entrySet()) {
            writer.append(new LongWritable(record.getKey()), new Text(record.getValue()));
        }
        writer.close();
        new ShuffleHeader(
                        map.toString(),
                        writer.getCompressedLength(),
                        writer.getRawLength(),
                        TaskJvm.REDUCE.getTaskID().getId())
                .write(to);
        bytes.writeTo(to);
        to.flush();
        served.merge(map.getTaskID().getId(), 1, Integer::sum);
    }

    @Override
    public void close() {
        hosts.forEach(host -> host.stop(0));
        threads.shutdownNow();
    }
}
