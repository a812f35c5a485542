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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CompanyTest {
    private static final long LONG = 600_000;

    /** What each look finds; the last one again and again. */
    private static Supplier<Set<String>> looks(List<Set<String>> found) {
        Queue<Set<String>> left = new ArrayDeque<>(found);
        return () -> new HashSet<>(left.size() > 1 ? left.remove() : left.element());
    }

    @Test
    void whoIsAloneAtOnceHasWaitedForNobody() {
        Company.Staying seen = Company.staying(looks(List.of(Set.of())), LONG);
        assertThat(seen.what()).isEmpty();
        assertThat(seen.waitedMillis()).isZero();
    }

    @Test
    void whatPassesIsNoObstacleAndItsTimeIsTold() {
        Company.Staying seen =
                Company.staying(looks(List.of(Set.of("a"), Set.of("a"), Set.of())), LONG);
        assertThat(seen.what()).isEmpty();
        assertThat(seen.waitedMillis()).isEqualTo(10 + 20);
    }

    @Test
    void ofSeveralThatComeAndGoNoneStays() {
        Company.Staying seen =
                Company.staying(
                        looks(List.of(Set.of("a", "b"), Set.of("b", "c"), Set.of("c"))), LONG);
        assertThat(seen.what()).isEmpty();
    }

    /** On a host so busy that two looks take all the time there is. */
    @Test
    void whatPassesIsNoObstacleHoweverLongALookTakes() {
        Supplier<Set<String>> looks =
                looks(List.of(Set.of("a", "b"), Set.of("a", "b"), Set.of("b"), Set.of()));
        Supplier<Set<String>> slow =
                () -> {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(60));
                    return looks.get();
                };
        assertThat(Company.staying(slow, 100).what()).isEmpty();
    }

    @Test
    void whatIsThereAtEveryLookStays() {
        assertThat(Company.staying(looks(List.of(Set.of("a", "b"), Set.of("b"))), 50).what())
                .hasValue("b");
    }
}
