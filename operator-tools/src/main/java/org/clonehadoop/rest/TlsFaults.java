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
package org.clonehadoop.rest;

import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Says what of HTTPS failed, and what to do, in one line. */
final class TlsFaults {
    /** How a user names one. */
    static final String TRUST_STORE =
            "JAVA_TOOL_OPTIONS=\"-Djavax.net.ssl.trustStore=FILE"
                    + " -Djavax.net.ssl.trustStorePassword=PASSWORD\"";

    /** How sun.security.util.HostnameChecker begins. */
    private static final Pattern NAMES = Pattern.compile("No name matching|No subject alternative");

    private TlsFaults() {}

    static String line(String server, SSLException fault) {
        if (cause(fault, InvalidAlgorithmParameterException.class).isPresent()) {
            return "no certificate is trusted, so that of "
                    + server
                    + " isn't: the trust store is empty, or is of type PKCS12 and its password"
                    + " wasn't given ("
                    + TRUST_STORE
                    + ")";
        }
        if (cause(fault, CertPathBuilderException.class).isPresent()) {
            return "the certificate of "
                    + server
                    + " isn't trusted: name a trust store that has it, or its issuer's ("
                    + TRUST_STORE
                    + ")";
        }
        Optional<? extends Exception> why = cause(fault, CertPathValidatorException.class);
        if (why.isPresent()) {
            return "the certificate of %s isn't valid: %s"
                    .formatted(server, why.get().getMessage());
        }
        why = cause(fault, CertificateException.class);
        if (why.isPresent()) {
            String how =
                    isOfNames(why.get())
                            ? "is for another name, so name the host as it does"
                            : "can't be used, so give the server another one";
            return "the certificate of %s %s: %s".formatted(server, how, why.get().getMessage());
        }
        return "no HTTPS with "
                + server
                + " (if it speaks plain HTTP there: a JobHistory server needs"
                + " yarn.http.policy=HTTPS_ONLY beside mapreduce.jobhistory.http.policy): "
                + fault.getMessage();
    }

    // The JDK has no type for it, but faults of a certificate's use or form have others' words.
    private static boolean isOfNames(Exception fault) {
        return NAMES.matcher(String.valueOf(fault.getMessage())).lookingAt();
    }

    private static <T extends Throwable> Optional<T> cause(Throwable fault, Class<T> type) {
        return Stream.iterate(fault, t -> t != null, Throwable::getCause)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }
}
