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

import java.io.IOException;
import picocli.CommandLine;

/** A server asks for Kerberos, and its user has no valid ticket. The message says what to do. */
public final class NoTicketException extends IOException implements CommandLine.IExitCodeGenerator {
    private static final long serialVersionUID = 1;

    NoTicketException(String server, Throwable cause) {
        super(
                server
                        + " asks for Kerberos, and there is no valid ticket: run kinit (Java finds"
                        + " tickets in files only: if yours are in a keyring or KCM, first"
                        + " export KRB5CCNAME=FILE:/tmp/krb5cc_$UID)",
                cause);
    }

    /** Of commands that end by it: 3. */
    @Override
    public int getExitCode() {
        return 3;
    }
}
