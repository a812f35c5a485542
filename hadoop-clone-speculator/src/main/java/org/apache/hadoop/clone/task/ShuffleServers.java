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

import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.task.reduce.Fetcher;
import org.apache.hadoop.net.NetUtils;

/**
 * Where a reduce has fetched from. The JDK keeps connections for the next request, also when the
 * fetchers are gone, and makes another if it finds one dead.
 */
final class ShuffleServers {
    /** As URLs have them: nobody resolves names in the midst of a fetch. */
    private final Set<String> authorities = ConcurrentHashMap.newKeySet();

    /**
     * After a request, by the fetcher's own thread. Nothing of another thread, and never throws.
     */
    void note(Thread fetcher) {
        if (!(fetcher instanceof Fetcher)) {
            return;
        }
        HttpURLConnection connection = Hidden.FETCHED_FROM.get(fetcher);
        if (connection != null) {
            authorities.add(connection.getURL().getAuthority());
        }
    }

    /** With those from which somebody fetches just now. */
    Stream<InetSocketAddress> addresses() {
        Threads.all().forEach(this::note);
        return authorities.stream().map(NetUtils::createSocketAddr);
    }
}
