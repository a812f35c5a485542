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
package org.apache.hadoop.clone.stage;

import java.util.concurrent.TimeUnit;

/**
 * Finds N*, the least level at which its server is fully used (the paper's section 3.4): from one
 * upwards as long as throughput grows commensurately, and then stays there.
 *
 * <p>A level {@code n} is worth it over the last one, {@code m}, if {@code T(n) ≥ T(m)·(1 + ½·(n/m
 * − 1))}: at least half of what it would bring if the server had room for all of it. The levels are
 * 1, 2, 4, 5, 6 …, and from 3, if it begins there, 4: since a step may end beyond N* by no more
 * than one once it is known that there is room for several.
 *
 * <p>A throughput counts if the server was saturated all the time, for {@value #WINDOW_MILLIS} ms
 * and {@value #SAMPLES}·n² samples. Their number goes by the square: one more of n brings the n-th
 * part of the throughput, and a mean of k samples is off by the root of k. So many tell half a step
 * from none by four standard deviations, of samples as uneven as exponential ones.
 *
 * <p>Others may use the server as well, now and then, and nobody says when. So a level that seems
 * to be worth it is so only if the last one, measured again, is as much below it as before. And a
 * level that is tried is left when there is too little to do for it: it may take long until there
 * is enough, and the level may be one too many.
 *
 * <p>It probes again after {@value #AGAIN_SECONDS} s from half of the level, and from the beginning
 * when the throughput has moved by {@value #MOVED}.
 */
public final class ProbingLimit implements Limit {
    private static final int WINDOW_MILLIS = 100;
    private static final int SAMPLES = 128;
    private static final int AGAIN_SECONDS = 30;
    private static final double MOVED = 0.3;
    private static final double COMMENSURATE = 0.5;
    private static final int SEVERAL = 4;

    /** What a level brought. */
    private record Known(int level, double throughput) {}

    private int level = 1;
    // While probing the level below; null for the first. Then the level found.
    private Known best;
    // Above it; if that is measured again since it seems to be worth it.
    private Known promising;
    private boolean probing = true;
    private long foundNanos;

    private boolean measuring;
    private long beganNanos;
    private long amountServed;
    private long samples;

    @Override
    public synchronized int level() {
        return level;
    }

    @Override
    public synchronized void served(long amount, long nanos, boolean saturated) {
        if (!saturated) {
            idle();
            return;
        }
        if (!measuring) {
            measure(nanos);
            return;
        }
        amountServed += amount;
        samples++;
        long took = nanos - beganNanos;
        if (samples >= (long) SAMPLES * level * level
                && took >= TimeUnit.MILLISECONDS.toNanos(WINDOW_MILLIS)) {
            Known now = new Known(level, (double) amountServed / took);
            measure(nanos);
            if (probing) {
                probe(now, nanos);
            } else {
                exploit(now, nanos);
            }
        }
    }

    @Override
    public synchronized void idle() {
        measuring = false;
        if (best != null && level > best.level()) {
            probeFrom(best.level());
        }
    }

    private void measure(long nanos) {
        measuring = true;
        beganNanos = nanos;
        amountServed = 0;
        samples = 0;
    }

    private void probe(Known now, long nanos) {
        if (best == null) {
            goOnFrom(now);
        } else if (promising != null) {
            if (isWorthIt(promising, now)) {
                goOnFrom(promising);
            } else {
                settleFor(now, nanos);
            }
        } else if (isWorthIt(now, best)) {
            promising = now;
            use(best.level());
        } else {
            settleFor(best, nanos);
        }
    }

    private static boolean isWorthIt(Known higher, Known lower) {
        double more = (double) higher.level() / lower.level() - 1;
        return higher.throughput() >= lower.throughput() * (1 + COMMENSURATE * more);
    }

    private void goOnFrom(Known found) {
        best = found;
        promising = null;
        use(found.level() < SEVERAL - 1 ? 2 * found.level() : found.level() + 1);
    }

    private void settleFor(Known found, long nanos) {
        best = found;
        promising = null;
        probing = false;
        foundNanos = nanos;
        use(found.level());
    }

    private void exploit(Known now, long nanos) {
        if (Math.abs(now.throughput() / best.throughput() - 1) > MOVED) {
            probeFrom(1);
        } else if (nanos - foundNanos >= TimeUnit.SECONDS.toNanos(AGAIN_SECONDS)) {
            probeFrom(Math.max(1, level / 2));
        }
    }

    private void probeFrom(int first) {
        probing = true;
        best = null;
        promising = null;
        use(first);
    }

    // What is in service of another level says nothing of this one: the next window begins when the
    // server is saturated anew.
    private void use(int next) {
        level = next;
        measuring = false;
    }
}
