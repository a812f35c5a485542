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
package org.clonehadoop.simulator.sweep;

import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.apache.hadoop.clone.conf.CloneKeys;
import org.clonehadoop.simulator.platform.CostBook;

/** What can be varied of a trial. */
enum Knob {
    /** A number of a rule: {@code rule.NAME}. */
    RULE {
        @Override
        boolean isNamed(String key) {
            return key.startsWith(Rule.PREFIX);
        }

        @Override
        Trial set(Trial trial, String key, String value) {
            Rule rule = Rule.named(key);
            return trial.with(
                    rule.change(trial.rules(), now -> number(key, value, now, rule.off())));
        }
    },
    /** Any of Hadoop's keys and ours. */
    CONFIGURATION {
        @Override
        boolean isNamed(String key) {
            return key.contains(".");
        }

        @Override
        Trial set(Trial trial, String key, String value) {
            return conf(trial, key, value);
        }
    },
    BETA {
        @Override
        boolean isNamed(String key) {
            return key.equals("beta");
        }

        @Override
        Trial set(Trial trial, String key, String value) {
            return conf(trial, CloneKeys.BETA, value);
        }
    },
    /** What t̄_vm is taken to be at first, over what it is. */
    VM_ESTIMATE {
        @Override
        boolean isNamed(String key) {
            return key.equals("vm-estimate");
        }

        @Override
        Trial set(Trial trial, String key, String value) {
            CostBook costs = trial.spec().costs();
            double millis = number(key, value, 1, 1) * costs.vmMillis();
            return conf(trial, CloneKeys.VM_MILLIS, String.valueOf(Math.round(millis)));
        }
    },
    /** The same of B̄. */
    BANDWIDTH_ESTIMATE {
        @Override
        boolean isNamed(String key) {
            return key.equals("bandwidth-estimate");
        }

        @Override
        Trial set(Trial trial, String key, String value) {
            CostBook costs = trial.spec().costs();
            double kilobytes = number(key, value, 1, 1) * costs.megabytesPerSecond() * 1024;
            return conf(trial, CloneKeys.BANDWIDTH, Math.round(kilobytes) + "k");
        }
    },
    /** A number of the job, its hosts, what clones cost there, or its troubles. */
    WORLD {
        @Override
        boolean isNamed(String key) {
            return true;
        }

        @Override
        Trial set(Trial trial, String key, String value) {
            DoubleUnaryOperator change = now -> number(key, value, now, Double.NaN);
            return World.change(trial.spec(), key, change)
                    .map(trial::with)
                    .orElseThrow(
                            () ->
                                    new IllegalArgumentException(
                                            trial.scenario() + " has no '" + key + "'"));
        }
    };

    abstract boolean isNamed(String key);

    /**
     * @throws IllegalArgumentException if the trial has no such thing, or it can't be that
     */
    abstract Trial set(Trial trial, String key, String value);

    static Knob of(String key) {
        for (Knob knob : values()) {
            if (knob.isNamed(key)) {
                return knob;
            }
        }
        throw new AssertionError();
    }

    /** Whether it depends on what another knob may change, and so is set after that. */
    boolean comesLast() {
        return this == VM_ESTIMATE || this == BANDWIDTH_ESTIMATE;
    }

    private static Trial conf(Trial trial, String key, String value) {
        return trial.with(trial.spec().withConf(Map.of(key, value)));
    }

    /**
     * @param off what it is where it has no effect; NaN if there is no such value
     */
    private static double number(String key, String value, double now, double off) {
        double number =
                switch (value) {
                    case "same" -> now;
                    case "half" -> now / 2;
                    case "double" -> now * 2;
                    case "off" -> off;
                    default -> parsed(key, value);
                };
        if (Double.isNaN(number)) {
            throw new IllegalArgumentException(key + " can't be " + value);
        }
        return number;
    }

    private static double parsed(String key, String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    key
                            + " can't be '"
                            + value
                            + "': neither a number, nor off, half, double, same",
                    e);
        }
    }
}
