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
package org.apache.hadoop.clone.estimate;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What attempts lose where nobody has passed yet: what most of them wait for is no one's fault, and
 * another attempt would wait for it as well. Of each part of the progress the median over all that
 * work, of which those that are elsewhere lose nothing there: where few stand still that is their
 * luck.
 */
final class FrontLosses {
    /**
     * An attempt works.
     *
     * @param progress from 0 to 1
     * @param millis it will be late by so much more than it is; 0 if others have passed there
     */
    record Loss(double progress, double millis) {}

    private final double[] medians;

    FrontLosses(List<Loss> all) {
        medians =
                IntStream.range(0, Profile.PARTS).mapToDouble(part -> median(part, all)).toArray();
    }

    private static double median(int part, List<Loss> all) {
        return all.stream()
                .filter(loss -> Profile.part(loss.progress()) == part && loss.millis() > 0)
                .map(Loss::millis)
                .sorted(Comparator.reverseOrder())
                .skip(Math.max(0, (all.size() - 1) / 2))
                .findFirst()
                .orElse(0.0);
    }

    /** What another attempt loses that is there, in milliseconds. */
    double at(double progress) {
        return medians[Profile.part(progress)];
    }

    /** What one loses that has all of that before it: as much as others have lost, and again. */
    double after(double progress) {
        return from(Profile.part(progress) + 1);
    }

    /** What one loses that begins at zero. */
    double inAll() {
        return from(0);
    }

    private double from(int first) {
        return 2 * IntStream.range(first, Profile.PARTS).mapToDouble(part -> medians[part]).sum();
    }
}
