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
package org.clonehadoop.simulator.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.clonehadoop.simulator.yarn.Application.Request;
import org.junit.jupiter.api.Test;

class AsksTest {
    private final Asks asks = new Asks();

    private Request request(String name, HandingOut handedOut, String... hosts) {
        Request request =
                new Request(
                        name, 20, List.of(hosts), handedOut, Application.Hurry.NONE, host -> {});
        asks.add(request);
        return request;
    }

    private Request map(String name, String... hosts) {
        return request(name, HandingOut.BY_HOST, hosts);
    }

    /** How many offers on hosts that nobody asks for it takes until one is taken. */
    private int offersUntilTaken(int nodes) {
        int offers = 1;
        while (asks.offer("elsewhere", nodes).isEmpty()) {
            offers++;
        }
        return offers;
    }

    @Test
    void aHostThatIsAskedForIsTakenAtOnce() {
        Request map = map("map", "h1", "h2");
        map("other", "h3");

        assertThat(asks.offer("h2", 16)).contains(map);
    }

    @Test
    void whatIsAskedForNowhereTakesAnyNode() {
        Request reduce = request("reduce", HandingOut.BY_TURN);

        assertThat(asks.offer("h1", 16)).contains(reduce);
    }

    /** Ten hosts and their rack are less than sixteen nodes, and one container is asked for. */
    @Test
    void aLoneRequestTakesTheFirstNodeWhateverItAskedFor() {
        Request backup = map("backup", names(10));

        assertThat(asks.offer("elsewhere", 16)).contains(backup);
    }

    @Test
    void theMoreWaitTheMoreNodesMayBeOfferedInVain() {
        for (int i = 0; i < 8; i++) {
            map("map" + i, "h1", "h2", "h3");
        }

        assertThat(offersUntilTaken(16)).isEqualTo(8 * 4 / 16 + 1);
    }

    @Test
    void noMoreNodesAreOfferedInVainThanThereAre() {
        for (int i = 0; i < 100; i++) {
            map("map" + i, names(15));
        }

        assertThat(offersUntilTaken(16)).isEqualTo(17);
    }

    @Test
    void afterFortyOthersANodeOfTheRackWillDoAndOffersCountAnew() {
        for (int i = 0; i < 100; i++) {
            map("map" + i, names(99));
        }

        assertThat(offersUntilTaken(100)).isEqualTo(41);
        assertThat(offersUntilTaken(100)).isEqualTo(41);
    }

    @Test
    void mapsAreHandedContainersByHostAndReducesByTurn() {
        map("m1", "h1");
        Request m2 = map("m2", "h2");
        assertThat(asks.offer("h2", 16)).contains(m2);

        Asks reduces = new Asks();
        Request r1 =
                new Request(
                        "r1",
                        10,
                        List.of(),
                        HandingOut.BY_TURN,
                        Application.Hurry.NONE,
                        host -> {});
        reduces.add(r1);
        reduces.add(
                new Request(
                        "r2",
                        10,
                        List.of("h2"),
                        HandingOut.BY_TURN,
                        Application.Hurry.NONE,
                        host -> {}));
        assertThat(reduces.offer("h2", 16)).contains(r1);
    }

    @Test
    void whatWasAskedForIsForgottenWhenNobodyWaits() {
        Request map = map("map", "h1");
        asks.remove(map);
        assertThat(asks.isEmpty()).isTrue();

        Request reduce = request("reduce", HandingOut.BY_TURN);

        assertThat(asks.offer("h1", 1)).contains(reduce);
    }

    private static String[] names(int hosts) {
        return IntStream.rangeClosed(1, hosts).mapToObj(i -> "h" + i).toArray(String[]::new);
    }
}
