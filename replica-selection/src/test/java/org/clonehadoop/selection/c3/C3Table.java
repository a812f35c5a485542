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
package org.clonehadoop.selection.c3;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * 10 000 cases of choices among three servers, one a line, which hold {@code c3.h} and {@code
 * selector.h} of request-switch and {@link Replicas} to each other. {@code main} writes it.
 */
final class C3Table {
    static final String FILE = "c3-table.txt";
    static final int SERVERS = 3;
    private static final int CASES = 10_000;
    private static final long SEED = 23;

    /**
     * The switch has integers: where two scores differ by less than this share, no case is made.
     */
    private static final double DISTINCT = 0.02;

    /** The switch's unit of response times, in µs. */
    private static final double TICK = 16.384;

    private static final String HEAD =
            """
            # C3: request-switch's selector.h and org.clonehadoop.selection.c3.Replicas are held to it. Made by C3Table.
            # nodes  A: answers outstanding and for each answer response service queue  B: the same  C: the same  best
            # response in ticks of 16.384 us, service in us; best 0 A, 1 B, 2 C
            """;

    private C3Table() {}

    /** What a server answered, {response, service, queue} each, and what it still owes. */
    record Seen(long[][] answers, int outstanding) {
        double score(int nodes, double weight) {
            if (answers.length == 0) {
                return outstanding == 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            }
            double[] average = {Double.NaN, Double.NaN, Double.NaN};
            for (long[] answer : answers) {
                average[0] = Ewma.next(average[0], answer[0] * TICK, weight);
                average[1] = Ewma.next(average[1], answer[1], weight);
                average[2] = Ewma.next(average[2], answer[2], weight);
            }
            return C3.score(average[0], average[1], average[2], outstanding, nodes);
        }
    }

    record Case(int nodes, List<Seen> servers) {
        /** What {@link Replicas} says. */
        int best() {
            Replicas replicas = new Replicas(SERVERS);
            for (int server = 0; server < SERVERS; server++) {
                for (long[] answer : servers.get(server).answers()) {
                    replicas.sent(server);
                    replicas.answered(server, answer[0] * TICK, answer[1], answer[2]);
                }
                for (int i = 0; i < servers.get(server).outstanding(); i++) {
                    replicas.sent(server);
                }
            }
            return replicas.best(new int[] {0, 1, 2}, nodes);
        }

        /** The least score if averages had this weight. */
        int bestBy(double weight) {
            int best = 0;
            for (int server = 1; server < SERVERS; server++) {
                if (servers.get(server).score(nodes, weight)
                        < servers.get(best).score(nodes, weight)) {
                    best = server;
                }
            }
            return best;
        }

        private boolean isDistinct() {
            double[] scores =
                    servers.stream().mapToDouble(seen -> seen.score(nodes, C3.WEIGHT)).toArray();
            Arrays.sort(scores);
            return Double.isInfinite(scores[0])
                    || scores[1] - scores[0]
                            > DISTINCT * Math.max(Math.abs(scores[0]), Math.abs(scores[1]));
        }

        private String line() {
            return nodes
                    + " "
                    + servers.stream().map(Case::text).collect(Collectors.joining(" "))
                    + " "
                    + best();
        }

        private static String text(Seen seen) {
            StringBuilder text = new StringBuilder();
            text.append(seen.answers().length).append(' ').append(seen.outstanding());
            for (long[] answer : seen.answers()) {
                for (long value : answer) {
                    text.append(' ').append(value);
                }
            }
            return text.toString();
        }
    }

    static Case parse(String line) {
        long[] numbers = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
        List<Seen> servers = new ArrayList<>();
        int at = 1;
        while (servers.size() < SERVERS) {
            long[][] answers = new long[(int) numbers[at]][];
            int outstanding = (int) numbers[at + 1];
            at += 2;
            for (int i = 0; i < answers.length; i++, at += 3) {
                answers[i] = Arrays.copyOfRange(numbers, at, at + 3);
            }
            servers.add(new Seen(answers, outstanding));
        }
        return new Case((int) numbers[0], servers);
    }

    static String text() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> lines = new ArrayList<>();
        while (lines.size() < CASES) {
            Case drawn = draw(random);
            if (drawn.isDistinct()) {
                lines.add(drawn.line());
            }
        }
        return HEAD + String.join("\n", lines) + "\n";
    }

    private static Case draw(SplittableRandom random) {
        List<Seen> servers = new ArrayList<>();
        for (int server = 0; server < SERVERS; server++) {
            int answers = random.nextInt(12) == 0 ? 0 : random.nextInt(1, 4);
            long[][] seen = new long[answers][];
            for (int i = 0; i < answers; i++) {
                long service = random.nextBoolean() ? 1000 : random.nextInt(500, 8000);
                long response = service / 16 + random.nextInt(random.nextBoolean() ? 20 : 2000);
                seen[i] = new long[] {response, service, random.nextInt(8)};
            }
            servers.add(new Seen(seen, random.nextInt(3) == 0 ? random.nextInt(6) : 0));
        }
        return new Case(nodes(random), servers);
    }

    /** One, as with a single switch; few; or up to a node in each rack of a large fabric. */
    private static int nodes(SplittableRandom random) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(1, 8);
            case 1 -> random.nextInt(8, 201);
            default -> 1;
        };
    }

    public static void main(String[] arguments) throws IOException {
        Files.writeString(Path.of(arguments[0]), text());
    }
}
