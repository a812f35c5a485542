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

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

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

    /**
     * @param parts of the progress
     */
    FrontLosses(List<Loss> all, int parts) {
        medians = new double[parts];
        all.stream()
                .filter(loss -> loss.millis() > 0)
                .collect(Collectors.groupingBy(loss -> part(loss.progress())))
                .forEach((part, lost) -> medians[part] = median(lost, all.size()));
    }

    private int part(double progress) {
        return Profile.part(progress, medians.length);
    }

    private static double median(List<Loss> lost, int all) {
        return lost.stream()
                .map(Loss::millis)
                .sorted(Comparator.reverseOrder())
                .skip((all - 1) / 2)
                .findFirst()
                .orElse(0.0);
    }

    /** What another attempt loses that is there, in milliseconds. */
    double at(double progress) {
        return medians[part(progress)];
    }

    /** What one loses that has all of that before it: as much as others have lost, and again. */
    double after(double progress) {
        return from(part(progress) + 1);
    }

    /** What one loses that begins at zero. */
    double inAll() {
        return from(0);
    }

    private double from(int first) {
        return 2 * Arrays.stream(medians, first, medians.length).sum();
    }
}
