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
package org.apache.hadoop.clone.hdfs;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** Fields of HDFS's objects that have no accessor. */
final class Fields {
    private Fields() {}

    /**
     * @throws IllegalStateException if there is no such field: another Hadoop than the one we know
     */
    @SuppressWarnings("unchecked")
    static <T> T of(Object owner, Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return (T) field.get(owner);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Hadoop has no " + type + "." + name, e);
        }
    }

    /**
     * @throws IllegalStateException as {@link #of}
     */
    static void set(Object owner, Class<?> type, String name, Object value) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            field.set(owner, value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Hadoop has no " + type + "." + name, e);
        }
    }

    /** Gives an object all that another has by the given class. */
    static <T> void copy(Class<? super T> type, T from, T to) {
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                try {
                    field.setAccessible(true);
                    field.set(to, field.get(from));
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException("can't set " + field, e);
                }
            }
        }
    }
}
