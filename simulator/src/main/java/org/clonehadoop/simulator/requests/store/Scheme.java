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
package org.clonehadoop.simulator.requests.store;

/** Where replicas are selected, as section 6.1 of the paper has it. */
public enum Scheme {
    CLIENTS("CliRS"),
    /** And a second request once the first is out for longer than 95 % of them take. */
    CLIENTS_R95("CliRS-R95"),
    TOR("NetRS-ToR"),
    ILP("NetRS-ILP"),
    ADAPTIVE("NetRS-ADP"),
    /** Each client knows what every server has to do. */
    ORACLE("Oracle"),
    /** All at one host. */
    PROXY("ProxyRS");

    private final String title;

    Scheme(String title) {
        this.title = title;
    }

    /** As in the paper. */
    public String title() {
        return title;
    }

    boolean inNetwork() {
        return this == TOR || this == ILP || this == ADAPTIVE;
    }
}
