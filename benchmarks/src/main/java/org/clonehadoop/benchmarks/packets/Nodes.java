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
package org.clonehadoop.benchmarks.packets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.clone.stage.Priority;
import org.clonehadoop.benchmarks.harness.Programs;

/**
 * Nodes of one core each, with two programs: one for primaries, and one of the kernel's idle class
 * for duplicates, which runs only while the other one has nothing to do.
 */
final class Nodes implements AutoCloseable {
    /** Verdicts must find room. */
    private static final int VERDICTS_BYTES = 256 << 10;

    /** Some fifty packets. */
    private static final int QUEUE_BYTES = 64 << 10;

    /** A dozen: what waits longer has been looked through elsewhere. */
    private static final int DUPLICATES_QUEUE_BYTES = 16 << 10;

    private static final List<String> IDLE = List.of("chrt", "--idle", "0");

    /** None outlives this program. */
    private static final List<String> OURS = List.of("setpriv", "--pdeathsig", "KILL");

    private final Programs programs;
    private final Path log;
    private final DatagramChannel out = DatagramChannel.open();
    private final DatagramChannel back = DatagramChannel.open();
    private final Deduplicator deduplicator = new Deduplicator();
    private final List<Map<Priority, InetSocketAddress>> nodes = new ArrayList<>();
    private final ByteBuffer packet = ByteBuffer.allocateDirect(Packet.BYTES);

    /**
     * @param log for the programs' complaints
     * @param rounds of {@link Inspection} for a packet
     */
    Nodes(int count, int rounds, Programs programs, Path log) throws IOException {
        this.programs = programs;
        this.log = log;
        back.setOption(StandardSocketOptions.SO_RCVBUF, VERDICTS_BYTES);
        back.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread reader = new Thread(this::readVerdicts, "deduplicator");
        reader.setDaemon(true);
        reader.start();
        for (int node = 0; node < count; node++) {
            Map<Priority, InetSocketAddress> both = new EnumMap<>(Priority.class);
            both.put(Priority.PRIMARY, detector(node, List.of(), rounds, QUEUE_BYTES));
            both.put(Priority.DUPLICATE, detector(node, IDLE, rounds, DUPLICATES_QUEUE_BYTES));
            nodes.add(both);
        }
    }

    Deduplicator deduplicator() {
        return deduplicator;
    }

    void send(int node, Priority priority, int cell, int number) {
        Packet.name(packet, cell, number);
        try {
            out.send(packet, nodes.get(node).get(priority));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Programs that take the processor of a node for themselves. */
    List<Process> hog(int node, int count) throws IOException {
        List<Process> hogs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hogs.add(programs.start(on(node, List.of("bash", "-c", "while :; do :; done")), log));
        }
        return hogs;
    }

    private InetSocketAddress detector(
            int node, List<String> scheduling, int rounds, int queueBytes) throws IOException {
        List<String> command = new ArrayList<>(scheduling);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Detector.class.getName(),
                        String.valueOf(portOf(back)),
                        String.valueOf(rounds),
                        String.valueOf(queueBytes)));
        Process process = programs.converse(on(node, command), log);
        BufferedReader reader =
                new BufferedReader(
                        new java.io.InputStreamReader(
                                process.getInputStream(), StandardCharsets.UTF_8));
        String port = reader.readLine();
        if (port == null) {
            throw new IOException("a detector didn't start: see " + log);
        }
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    /** By its core. */
    private static List<String> on(int node, List<String> command) {
        List<String> words = new ArrayList<>(OURS);
        words.addAll(List.of("taskset", "--cpu-list", String.valueOf(node)));
        words.addAll(command);
        return words;
    }

    private static int portOf(DatagramChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    private void readVerdicts() {
        ByteBuffer verdict = ByteBuffer.allocateDirect(Packet.VERDICT_BYTES);
        try {
            while (true) {
                back.receive(verdict.clear());
                deduplicator.take(verdict);
            }
        } catch (IOException e) {
            // The channel is closed.
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
        back.close();
    }
}
