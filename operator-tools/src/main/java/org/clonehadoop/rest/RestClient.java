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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLException;
import javax.security.auth.login.LoginException;
import org.ietf.jgss.GSSException;

/**
 * Gets JSON from a web service of Hadoop's. Where it is behind Hadoop's AuthenticationFilter, the
 * user's ticket is shown once; from then on its cookie is.
 */
public final class RestClient {
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Duration limit;
    private HttpClient client;

    /**
     * @param limit for each answer
     */
    public RestClient(Duration limit) {
        this.limit = limit;
    }

    /**
     * The server's answer, whatever its status is.
     *
     * @throws NoTicketException if it asks for a ticket and there is none
     * @throws HttpTimeoutException if it is there, but doesn't answer in time
     * @throws IOException if it isn't there, or can't be trusted
     */
    public HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(request(uri).build());
        if (answer.statusCode() == UNAUTHORIZED && asksForTicket(answer)) {
            return send(request(uri).header("Authorization", authorization(uri)).build());
        }
        return answer;
    }

    /**
     * Where a JobHistory server's interface begins, below what a proxy puts before it.
     *
     * @param server its address, perhaps with a path
     */
    public static String history(String server) {
        return server.replaceFirst("/*$", "") + "/ws/v1/history/mapreduce/";
    }

    /**
     * What an answer says.
     *
     * @throws IOException if the server refuses to answer, or answers no JSON
     */
    public static JsonNode body(HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() != OK) {
            throw new IOException(answer.uri() + " answers HTTP status " + answer.statusCode());
        }
        try {
            return JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new IOException(answer.uri() + " answers no JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** What an answer has in {@code outer.inner}: a list of one is no list in these interfaces. */
    public static List<JsonNode> list(JsonNode body, String outer, String inner) {
        JsonNode found = body.path(outer).path(inner);
        List<JsonNode> list = new ArrayList<>();
        if (found.isArray()) {
            found.forEach(list::add);
        } else if (found.isObject()) {
            list.add(found);
        }
        return list;
    }

    private HttpRequest.Builder request(URI uri) throws IOException {
        try {
            return HttpRequest.newBuilder(uri).header("Accept", "application/json").timeout(limit);
        } catch (IllegalArgumentException e) {
            throw new IOException("no URL of a server, such as http://host:19888: " + uri, e);
        }
    }

    private HttpResponse<String> send(HttpRequest request)
            throws IOException, InterruptedException {
        HttpClient by = client();
        String server = server(request.uri());
        try {
            return by.send(request, BodyHandlers.ofString());
        } catch (SSLException e) {
            throw new IOException(TlsFaults.line(server, e), e);
        } catch (ConnectException | HttpConnectTimeoutException e) {
            throw new IOException("no JobHistory server answers at " + server, e);
        } catch (HttpTimeoutException e) {
            throw late(server, e);
        } catch (IOException e) {
            throw new IOException(
                    "%s answers no HTTP (if that port is for HTTPS, name it by https://): %s"
                            .formatted(server, e.getMessage()),
                    e);
        }
    }

    private HttpTimeoutException late(String server, HttpTimeoutException cause) {
        String line = "%s hasn't answered within %d s: it may have much to read, so try again";
        HttpTimeoutException late =
                new HttpTimeoutException(line.formatted(server, limit.toSeconds()));
        late.initCause(cause);
        return late;
    }

    // Not before it is needed: the JDK reads the trust store here, and fails if it can't.
    private HttpClient client() throws IOException {
        if (client == null) {
            try {
                client =
                        HttpClient.newBuilder()
                                .connectTimeout(limit)
                                .cookieHandler(new CookieManager())
                                .build();
            } catch (UncheckedIOException e) {
                throw new IOException(
                        "the trust store can't be read: look at its file and password ("
                                + TlsFaults.TRUST_STORE
                                + ")",
                        e);
            }
        }
        return client;
    }

    private static boolean asksForTicket(HttpResponse<?> answer) {
        return answer.headers().allValues("WWW-Authenticate").stream()
                .anyMatch(way -> way.toLowerCase(Locale.ROOT).startsWith("negotiate"));
    }

    private static String authorization(URI uri) throws IOException {
        try {
            return new KerberosTicket().authorization(uri.getHost());
        } catch (LoginException e) {
            throw new NoTicketException(server(uri), e);
        } catch (GSSException e) {
            throw new IOException(
                    "Kerberos gives no ticket for HTTP/%s (name the host as its keytab does): %s"
                            .formatted(uri.getHost(), e.getMessage()),
                    e);
        }
    }

    private static String server(URI uri) {
        return uri.getScheme() + "://" + uri.getAuthority();
    }
}
