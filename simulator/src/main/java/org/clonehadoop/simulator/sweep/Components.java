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

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/** Copies of records in which one number is another. */
final class Components {
    private Components() {}

    /** What of the record's components has that name and is a number; empty if none is. */
    static Optional<Double> number(Record record, String name) {
        return Arrays.stream(record.getClass().getRecordComponents())
                .filter(component -> component.getName().equals(name))
                .filter(component -> isNumber(component.getType()))
                .map(component -> ((Number) value(record, component)).doubleValue())
                .findFirst();
    }

    /**
     * @param change of the number; what is to be whole is rounded
     * @return empty if the record has no such number
     */
    static <R extends Record> Optional<R> change(
            R record, String name, DoubleUnaryOperator change) {
        return number(record, name).map(now -> with(record, name, change.applyAsDouble(now)));
    }

    /** A copy with another value, whatever it is. */
    static <R extends Record> R with(R record, String name, Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            boolean isIt = components[i].getName().equals(name);
            values[i] =
                    isIt ? fitting(components[i].getType(), value) : value(record, components[i]);
        }
        return make(record, components, values);
    }

    private static boolean isNumber(Class<?> type) {
        return type == int.class || type == long.class || type == double.class;
    }

    private static Object fitting(Class<?> type, Object value) {
        if (type == int.class) {
            return (int) Math.rint(((Number) value).doubleValue());
        } else if (type == long.class) {
            return (long) Math.rint(((Number) value).doubleValue());
        }
        return value;
    }

    private static Object value(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked") // of the record's own class
    private static <R extends Record> R make(
            R record, RecordComponent[] components, Object[] values) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return (R) record.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
