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
package org.apache.hadoop.clone.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The key of one clone's transfer: 32 bytes that AppMaster and original each derive from the job's
 * token, so that it never travels between them. The clone's container gets it among its
 * credentials, not in its environment or arguments, which NodeManagers copy into logs.
 */
@InterfaceAudience.Private
public final class OneTimeKey {
    /** How many bytes a nonce has. */
    public static final int NONCE_BYTES = 16;

    /** Alias of the key among a container's credentials. */
    public static final String ALIAS = "clone-key";

    /** Stands before the hexadecimal key in the credentials' value, so that a shell can find it. */
    public static final String CREDENTIAL_PREFIX = "clone-key:";

    private final byte[] key;

    private OneTimeKey(byte[] key) {
        this.key = key;
    }

    /**
     * @param jobTokenPassword the job token's password
     * @param nonce random, chosen once for each clone
     */
    public static OneTimeKey of(byte[] jobTokenPassword, long cloneId, byte[] nonce) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(jobTokenPassword, "HmacSHA256"));
            mac.update(ALIAS.getBytes(StandardCharsets.US_ASCII));
            mac.update(ByteBuffer.allocate(Long.BYTES).putLong(cloneId).flip());
            return new OneTimeKey(mac.doFinal(nonce));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "This Java has no HmacSHA256, which every Java has.", e);
        }
    }

    /** 64 hexadecimal digits, as criu-remote-clone reads a key. */
    public String hex() {
        return HexFormat.of().formatHex(key);
    }

    /** The value of {@link #ALIAS} among a container's credentials. */
    public byte[] credential() {
        return (CREDENTIAL_PREFIX + hex()).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OneTimeKey that && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(key);
    }

    /** Never the key: it would end in a log. */
    @Override
    public String toString() {
        return "one-time key";
    }
}
