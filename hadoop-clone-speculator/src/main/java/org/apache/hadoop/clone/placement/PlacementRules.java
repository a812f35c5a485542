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
package org.apache.hadoop.clone.placement;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The numbers by which hosts are chosen. Not for users: docs/speculation.md says what each is
 * derived from, and what others in its place do.
 *
 * @param straggling a host whose rate is less than this part of the median host's is slow
 * @param givenBack so many containers on slow hosts are given back for an attempt, and so often
 *     another one is asked for at once in the place of one on the original's host
 * @param askLaterMillis then after so long
 * @param memory of what is seen on a host, in usual attempts' times
 * @param forgotten a host of which less is remembered, as a part of the memory, isn't known
 * @param hosts how many the ResourceManager is asked for
 * @param comesFreeMillis how long it takes at most until a container whose attempt has ended is
 *     given to another: a NodeManager's report and an exchange with the ResourceManager
 * @param hurriedMillis between two exchanges with the ResourceManager while a backup waits
 * @param hurries how many of them
 * @param lastsMillis how long an order of hosts is good, where attempts report as often as preset
 */
@InterfaceAudience.Private
public record PlacementRules(
        double straggling,
        int givenBack,
        long askLaterMillis,
        double memory,
        double forgotten,
        int hosts,
        long comesFreeMillis,
        long hurriedMillis,
        int hurries,
        long lastsMillis) {
    public static final PlacementRules PRESET =
            new PlacementRules(0.5, 10, 30_000, 2, 0.1, 10, 3_000, 200, 15, 2_000);

    /** Of Hadoop, between two reports of an attempt. */
    private static final double PRESET_REPORT_MILLIS = 6_000;

    /**
     * While attempts wait another thread sorts the hosts anew each half second; the event thread is
     * not to be before it.
     */
    private static final long LEAST_MILLIS = 1_000;

    /** Attempts end, and begin, as often as ever. */
    private static final long MOST_MILLIS = 10_000;

    /**
     * Whether a wait that lasts until then is over. It is also over if it is longer than any: the
     * host's clock was set back then.
     */
    public boolean isOver(long untilMillis, long now) {
        long left = untilMillis - now;
        return left <= 0 || left > askLaterMillis;
    }

    /**
     * Whether no host is to be expected for a backup but its original's. Then it runs there, as
     * Hadoop's does, unless the host is slow: what is slow may be the attempt alone.
     *
     * @param nodes of the cluster
     * @param waitedMillis since the backup first gave a container back, as in that time none on
     *     another host came free
     */
    public boolean isNoOther(int nodes, long waitedMillis) {
        return nodes == 1 || waitedMillis >= askLaterMillis;
    }

    /**
     * These rules where attempts report in another interval than the preset one: what is known of
     * hosts changes as often.
     *
     * @param millis 0 if they don't report at all
     */
    public PlacementRules reportedEach(long millis) {
        if (millis <= 0) {
            return this;
        }
        long least = Math.min(lastsMillis, LEAST_MILLIS);
        long asOften = Math.round(lastsMillis * (millis / PRESET_REPORT_MILLIS));
        return new PlacementRules(
                straggling,
                givenBack,
                askLaterMillis,
                memory,
                forgotten,
                hosts,
                comesFreeMillis,
                hurriedMillis,
                hurries,
                Math.max(least, Math.min(asOften, Math.max(lastsMillis, MOST_MILLIS))));
    }
}
