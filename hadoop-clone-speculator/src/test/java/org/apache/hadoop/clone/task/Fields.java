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

import java.lang.reflect.Field;

/** Fields of Hadoop's objects that have no accessor. */
final class Fields {
    private Fields() {}

    /**
     * @throws IllegalStateException if there is no such field: another Hadoop than the one we know
     */
    @SuppressWarnings("unchecked")
    static <T> T of(Object owner, String name) {
        try {
            return (T) find(owner.getClass(), name).get(owner);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same of a static field. */
    @SuppressWarnings("unchecked")
    static <T> T of(Class<?> owner, String name) {
        try {
            return (T) find(owner, name).get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * @throws IllegalStateException as {@link #of}
     */
    static void set(Object owner, String name, Object value) {
        try {
            find(owner.getClass(), name).set(owner, value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same of a static field. */
    static void set(Class<?> owner, String name, Object value) {
        try {
            find(owner, name).set(null, value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Field find(Class<?> from, String name) {
        for (Class<?> type = from; type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field;
            } catch (NoSuchFieldException e) {
                // of a superclass, perhaps
            }
        }
        throw new IllegalStateException("no field " + name + " in " + from.getName());
    }
}
