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
package org.apache.hadoop.clone.hdfs.read.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.clone.hdfs.read.wire.StageHeader.BlockName;
import org.apache.hadoop.clone.stage.JobId;
import org.apache.hadoop.clone.stage.Priority;
import org.junit.jupiter.api.Test;

class StageHeaderTest {
    private static final String POOL = "BP-1-127.0.0.1-2";
    private static final StageHeader NAMED =
            new StageHeader(
                    Priority.DUPLICATE,
                    new JobId(0x0102030405060708L, -2),
                    Optional.of(new BlockName(POOL, 1073741825L)));
    private static final StageHeader UNNAMED =
            new StageHeader(Priority.PRIMARY, new JobId(-1, 0), Optional.empty());
    private static final StageHeader LONGEST =
            new StageHeader(
                    Priority.DUPLICATE,
                    new JobId(1, 1),
                    Optional.of(new BlockName("p".repeat(96), Long.MIN_VALUE)));

    @Test
    void isWrittenAsTheDocumentSays() {
        assertThat(hex(NAMED))
                .isEqualTo(
                        "44535447 01 01 01 0102030405060708 fffffffffffffffe 0000000040000001 10"
                                        .replace(" ", "")
                                + HexFormat.of().formatHex(POOL.getBytes()));
        assertThat(hex(UNNAMED)).isEqualTo("44535447010000ffffffffffffffff0000000000000000");
    }

    private static String hex(StageHeader header) {
        return HexFormat.of().formatHex(bytes(header));
    }

    private static byte[] bytes(StageHeader header) {
        ByteBuffer encoded = header.encode();
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
    }

    @Test
    void isReadAsItWasWrittenAndNothingBehindIt() throws Exception {
        for (StageHeader header : List.of(NAMED, UNNAMED, LONGEST)) {
            byte[] bytes = bytes(header);
            ByteBuffer from = ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + 5));
            assertThat(StageHeader.decode(from)).contains(header);
            assertThat(from.position()).isEqualTo(bytes.length);
        }
        assertThat(bytes(LONGEST)).hasSize(StageHeader.MOST_BYTES);
    }

    @Test
    void waitsForTheRest() throws Exception {
        for (StageHeader header : List.of(NAMED, UNNAMED, LONGEST)) {
            byte[] bytes = bytes(header);
            for (int length = 0; length < bytes.length; length++) {
                ByteBuffer from = ByteBuffer.wrap(bytes, 0, length);
                assertThat(StageHeader.decode(from)).as("of %d bytes", length).isEmpty();
                assertThat(from.position()).isZero();
            }
        }
    }

    @Test
    void whatIsntOneIsKnownByItsFirstWrongByte() {
        assertBad(0, 'd', 1, "no header");
        assertBad(3, 'X', 4, "no header");
        assertBad(4, 2, 5, "version 2");
        assertBad(5, 2, 23, "priority 2");
        assertBad(5, 255, 23, "priority -1");
        assertBad(6, 2, 23, "flags 2");
        assertBad(31, 0, 32, "name of 0 bytes");
        assertBad(31, 97, 32, "name of 97 bytes");
        assertBad(31, 128, 32, "name of -128 bytes");
        assertBad(33, ' ', 48, "ASCII");
        assertBad(33, 200, 48, "ASCII");
    }

    private static void assertBad(int at, int value, int length, String why) {
        byte[] bytes = Arrays.copyOf(bytes(NAMED), length);
        bytes[at] = (byte) value;
        assertThatThrownBy(() -> StageHeader.decode(ByteBuffer.wrap(bytes)))
                .isInstanceOf(BadHeaderException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aPoolThatCannotBeNamedIsKnownBefore() {
        for (String pool : List.of("", "p".repeat(97), "p p", "p\u00fc", "p\n")) {
            assertThat(BlockName.canName(pool)).as(pool).isFalse();
            assertThatThrownBy(() -> new BlockName(pool, 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(BlockName.canName(POOL)).isTrue();
    }

    /** Whatever comes is a header that is written just so, or the beginning of one, or bad. */
    @Test
    void rubbishIsBadOrIncompleteAndNothingElse() {
        long until = System.nanoTime() + 1_000_000L * Integer.getInteger("fuzz.millis", 300);
        long seed = 1;
        int understood = 0;
        do {
            Random random = new Random(seed++);
            byte[] bytes = mutated(random);
            ByteBuffer from = ByteBuffer.wrap(bytes);
            try {
                Optional<StageHeader> header = StageHeader.decode(from);
                if (header.isPresent()) {
                    understood++;
                    assertThat(bytes(header.get()))
                            .as("seed %d", seed)
                            .isEqualTo(Arrays.copyOf(bytes, from.position()));
                } else {
                    assertThat(bytes.length).as("seed %d", seed).isLessThan(StageHeader.MOST_BYTES);
                }
            } catch (BadHeaderException e) {
                assertThat(from.position()).as("seed %d", seed).isZero();
            }
        } while (System.nanoTime() < until || seed < 10_000);
        assertThat(understood).isPositive();
    }

    private static byte[] mutated(Random random) {
        byte[] bytes = bytes(List.of(NAMED, UNNAMED, LONGEST).get(random.nextInt(3)));
        bytes = Arrays.copyOf(bytes, random.nextInt(2 * StageHeader.MOST_BYTES));
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }
}
