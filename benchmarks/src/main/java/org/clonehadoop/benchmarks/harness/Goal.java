package org.clonehadoop.benchmarks.harness;

/** What a median should be; missing it is said, and no failure. */
public record Goal(Kind kind, double limit) {
    enum Kind {
        AT_MOST("<="),
        AT_LEAST(">=");

        private final String sign;

        Kind(String sign) {
            this.sign = sign;
        }
    }

    public static Goal atMost(double limit) {
        return new Goal(Kind.AT_MOST, limit);
    }

    public static Goal atLeast(double limit) {
        return new Goal(Kind.AT_LEAST, limit);
    }

    boolean isMetBy(double value) {
        return kind == Kind.AT_MOST ? value <= limit : value >= limit;
    }

    String judge(double value, Unit unit) {
        return (isMetBy(value) ? "" : "MISSED ") + kind.sign + " " + unit.format(limit);
    }
}
