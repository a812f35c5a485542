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
package org.apache.hadoop.clone.seam;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A field of Hadoop's that has no accessor. The build lists all of them, by the calls of {@link
 * #of}, among what a process needs: {@link Shape}.
 *
 * @param <T> what it holds
 */
@InterfaceAudience.Private
public final class HiddenField<T> {
    private final String owner;
    private final String name;
    private volatile Field field;

    private HiddenField(String owner, String name) {
        this.owner = owner;
        this.name = name;
    }

    /**
     * Three constants, or the build doesn't see them.
     *
     * @param owner the class that declares it, by its internal name
     * @param descriptor of its type; of several with a bar between, where lines of Hadoop differ
     */
    public static <T> HiddenField<T> of(String owner, String name, String descriptor) {
        return new HiddenField<>(owner, name);
    }

    /**
     * @param object null for a static field
     * @throws IllegalStateException if there is no such field
     */
    @SuppressWarnings("unchecked")
    public T get(Object object) {
        try {
            return (T) field().get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As {@link #get}; whether it is final or not. */
    public void set(Object object, T value) {
        try {
            field().set(object, value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private Field field() {
        Field known = field;
        if (known == null) {
            known = find();
            field = known;
        }
        return known;
    }

    private Field find() {
        try {
            Field found = HiddenMethod.owner(owner).getDeclaredField(name);
            found.setAccessible(true);
            return found;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("this Hadoop has no field " + this, e);
        }
    }

    @Override
    public String toString() {
        return owner.replace('/', '.') + "." + name;
    }

    /** Gives an object all that another has by the given class. */
    public static <T> void copyAll(Class<? super T> type, T from, T to) {
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
