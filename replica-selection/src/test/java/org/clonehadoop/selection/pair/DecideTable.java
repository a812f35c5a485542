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
package org.clonehadoop.selection.pair;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * 10 000 cases of decisions, one a line, which hold {@code decide.h} of request-switch and {@link
 * Rules} to each other. Columns are named in the file's head. {@code main} writes it.
 */
final class DecideTable {
    static final String FILE = "decide-table.txt";
    private static final int CASES = 10_000;
    private static final long SEED = 23;
    private static final String HEAD =
            """
            # decide(): request-switch's decide.h and org.clonehadoop.selection.pair.Rules are held to it. Made by DecideTable.
            # policy clone state read probe budget  A: outstanding workers told age answer-time suspect  B: the same  first second why
            # policy 0 random, 1 shorter queue; clone 0 never, 1 idle, 2 always; state 0 counted, 1 agent; told -1 never
            # first 0 A, 1 B; second the same, -1 not cloned; why 0 cloned, 1 write, 2 never, 3 suspect, 4 busy, 5 no budget
            """;

    private DecideTable() {}

    static String text() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> lines = new ArrayList<>();
        while (lines.size() < CASES) {
            lines.add(line(LongStream.of(draw(random))));
        }
        return HEAD + String.join("\n", lines) + "\n";
    }

    private static long[] draw(SplittableRandom random) {
        long[] values = new long[18];
        values[0] = random.nextInt(2);
        values[1] = random.nextInt(10) < 7 ? 1 : random.nextInt(3);
        values[2] = random.nextInt(2);
        values[3] = random.nextInt(10) < 9 ? 1 : 0;
        values[4] = random.nextInt(4) == 0 ? 1 : 0;
        values[5] = random.nextInt(4) > 0 ? 1 : 0;
        for (int at = 6; at < 18; at += 6) {
            long workers = random.nextInt(1, 17);
            long answerTime = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(30);
            values[at] =
                    Math.max(
                            0,
                            random.nextInt(5) < 3
                                    ? workers + random.nextInt(-2, 3)
                                    : random.nextInt(40));
            values[at + 1] = workers;
            values[at + 2] = random.nextInt(5) < 2 ? 0 : random.nextInt(-1, 12);
            // About the age at which what was told is forgotten, often exactly.
            values[at + 3] =
                    Math.max(0, random.nextInt(2) * 10 * answerTime + random.nextInt(-1, 2));
            values[at + 4] = answerTime;
            values[at + 5] = random.nextInt(8) == 0 ? 1 : 0;
        }
        // Very large counts must not overflow.
        if (random.nextInt(100) == 0) {
            values[6] = 4_294_967_295L;
            values[13] = 65_535;
        }
        return values;
    }

    private static String line(LongStream inputs) {
        long[] in = inputs.toArray();
        Verdict verdict = decide(in);
        int first = verdict.swapped() ? 1 : 0;
        return LongStream.concat(
                        LongStream.of(in),
                        LongStream.of(
                                first,
                                verdict.cloned() ? 1 - first : -1,
                                verdict.reason().ordinal()))
                .mapToObj(Long::toString)
                .collect(Collectors.joining(" "));
    }

    /** What {@link Rules} says of a line's first 18 numbers. */
    static Verdict decide(long[] in) {
        return new Rules(
                        Policy.values()[(int) in[0]],
                        Cloning.values()[(int) in[1]],
                        State.values()[(int) in[2]])
                .decide(in[3] == 1, in[4] == 1, in[5] == 1, server(in, 6), server(in, 12));
    }

    private static Server server(long[] in, int at) {
        return new Server(in[at], in[at + 1], in[at + 2], in[at + 3], in[at + 4], in[at + 5] == 1);
    }

    public static void main(String[] arguments) throws IOException {
        Files.writeString(Path.of(arguments[0]), text());
    }
}
