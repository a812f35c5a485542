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

import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Base64;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;

/**
 * The ticket that kinit got, as an HTTP client shows it (SPNEGO, RFC 4559). What Hadoop's
 * KerberosAuthenticator does, by the JDK alone: hadoop-auth would bring its logging and codecs to a
 * program that needs nothing else of Hadoop's.
 */
final class KerberosTicket {
    private static final String SPNEGO = "1.3.6.1.5.5.2";

    /** Where the cache is, the JDK finds out: {@code KRB5CCNAME}, else the user's own in /tmp. */
    private static final Configuration FROM_CACHE =
            new Configuration() {
                @Override
                public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                    return new AppConfigurationEntry[] {
                        new AppConfigurationEntry(
                                "com.sun.security.auth.module.Krb5LoginModule",
                                LoginModuleControlFlag.REQUIRED,
                                Map.of("useTicketCache", "true", "doNotPrompt", "true"))
                    };
                }
            };

    private final Subject subject = new Subject();

    /**
     * @throws LoginException if there is none, or it has expired
     */
    KerberosTicket() throws LoginException {
        new LoginContext("ticket", subject, null, FROM_CACHE).login();
    }

    /**
     * The value of {@code Authorization} for a first request.
     *
     * @param host the server's, by the name that its principal {@code HTTP/host} has
     * @throws GSSException if the realm has no such server, or can't be asked
     */
    String authorization(String host) throws GSSException {
        try {
            byte[] token =
                    Subject.doAs(subject, (PrivilegedExceptionAction<byte[]>) () -> token(host));
            return "Negotiate " + Base64.getEncoder().encodeToString(token);
        } catch (PrivilegedActionException e) {
            throw (GSSException) e.getException();
        }
    }

    private static byte[] token(String host) throws GSSException {
        GSSManager manager = GSSManager.getInstance();
        GSSName server = manager.createName("HTTP@" + host, GSSName.NT_HOSTBASED_SERVICE);
        GSSContext context =
                manager.createContext(server, new Oid(SPNEGO), null, GSSContext.DEFAULT_LIFETIME);
        try {
            context.requestMutualAuth(true);
            return context.initSecContext(new byte[0], 0, 0);
        } finally {
            context.dispose();
        }
    }
}
