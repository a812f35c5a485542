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

import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;

/**
 * Logs in from a key table again and again, as a Hadoop daemon or job does, and prints for each login
 * how long it took in milliseconds. {@code Login KEYTAB PRINCIPAL COUNT}
 */
public final class Login {
    private Login() {}

    public static void main(String[] arguments) throws Exception {
        Configuration keytab = new KeytabLogin(arguments[0], arguments[1]);
        for (int i = Integer.parseInt(arguments[2]); i > 0; i--) {
            long begin = System.nanoTime();
            Subject subject = new Subject();
            LoginContext context = new LoginContext("login", subject, null, keytab);
            context.login();
            if (subject.getPrincipals(KerberosPrincipal.class).isEmpty()) {
                throw new IllegalStateException("logged in as nobody");
            }
            System.out.printf("%.1f%n", (System.nanoTime() - begin) / 1e6);
        }
    }

    private static final class KeytabLogin extends Configuration {
        private final AppConfigurationEntry entry;

        KeytabLogin(String keytab, String principal) {
            entry =
                    new AppConfigurationEntry(
                            "com.sun.security.auth.module.Krb5LoginModule",
                            LoginModuleControlFlag.REQUIRED,
                            Map.of(
                                    "useKeyTab", "true",
                                    "keyTab", keytab,
                                    "principal", principal,
                                    "storeKey", "true",
                                    "doNotPrompt", "true",
                                    "isInitiator", "true"));
        }

        @Override
        public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
            return new AppConfigurationEntry[] {entry};
        }
    }
}
