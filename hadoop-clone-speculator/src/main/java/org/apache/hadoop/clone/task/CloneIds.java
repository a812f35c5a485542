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

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ids that nobody else draws. All generators of random numbers in a clone are copies of its
 * original's, so that both, and other clones of the same original, would draw the same from them.
 * These are made of the clone's own number and of what the kernel gives it.
 */
final class CloneIds {
    private static final Logger LOG = LoggerFactory.getLogger(CloneIds.class);

    /** As a UUID has. */
    private static final int ID_BYTES = 16;

    private static final int NAME_BYTES = 4;
    private static final int ENTROPY_BYTES = 32;

    private final MessageDigest digest;
    private final byte[] seed;
    private int drawn;

    /**
     * @param clone unique in the job
     */
    CloneIds(TaskAttemptID original, long clone, byte[] entropy) {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has it", e);
        }
        digest.update((original + "," + clone + ",").getBytes(StandardCharsets.UTF_8));
        seed = digest.digest(entropy);
    }

    /**
     * @throws IOException if the kernel gives nothing
     */
    static CloneIds of(TaskAttemptID original, long clone) throws IOException {
        byte[] entropy = new byte[ENTROPY_BYTES];
        try (DataInputStream kernel =
                new DataInputStream(Files.newInputStream(Path.of("/dev/urandom")))) {
            kernel.readFully(entropy);
        }
        return new CloneIds(original, clone, entropy);
    }

    /** Of an RPC client. */
    byte[] clientId() {
        return next(ID_BYTES);
    }

    /** To be added to a name. */
    String suffix() {
        return HexFormat.of().formatHex(next(NAME_BYTES));
    }

    /**
     * Gives what makes the UUIDs of this process, Hadoop's and its user's, something that no copy
     * of it has: with a DRBG for {@code SecureRandom} they would come twice. Other generators stay
     * as they are, so that a clone of a map puts out what its original would have.
     */
    void reseedUuids(Instrumentation agent) {
        CloneAgent.open(agent, UUID.class);
        try {
            Field generator =
                    Class.forName(UUID.class.getName() + "$Holder")
                            .getDeclaredField("numberGenerator");
            generator.setAccessible(true);
            ((SecureRandom) generator.get(null)).setSeed(next(ENTROPY_BYTES));
        } catch (ReflectiveOperationException e) {
            LOG.warn("The generator of UUIDs stays as it was: {}", e.toString());
        }
    }

    private byte[] next(int bytes) {
        digest.update(seed);
        digest.update((byte) drawn);
        digest.update((byte) (drawn >> Byte.SIZE));
        drawn++;
        return Arrays.copyOf(digest.digest(), bytes);
    }
}
