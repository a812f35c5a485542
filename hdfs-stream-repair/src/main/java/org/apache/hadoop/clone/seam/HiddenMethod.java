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

import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.hadoop.classification.InterfaceAudience;

/** A method of Hadoop's that it shows nobody; listed by the build as a {@link HiddenField} is. */
@InterfaceAudience.Private
public final class HiddenMethod {
    private final String owner;
    private final String name;
    private final String descriptor;

    private HiddenMethod(String owner, String name, String descriptor) {
        this.owner = owner;
        this.name = name;
        this.descriptor = descriptor;
    }

    /** Three constants, or the build doesn't see them. */
    public static HiddenMethod of(String owner, String name, String descriptor) {
        return new HiddenMethod(owner, name, descriptor);
    }

    /**
     * @throws IllegalStateException if there is no such method, or it fails
     */
    public void invoke(Object object, Object... arguments) {
        try {
            Class<?> type = owner(owner);
            Class<?>[] parameters =
                    MethodType.fromMethodDescriptorString(descriptor, type.getClassLoader())
                            .parameterArray();
            Method method = type.getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            method.invoke(object, arguments);
        } catch (NoSuchMethodException | IllegalAccessException | TypeNotPresentException e) {
            throw new IllegalStateException("this Hadoop has no " + this, e);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(this + " fails", e.getCause());
        }
    }

    static Class<?> owner(String internalName) {
        try {
            return Class.forName(
                    internalName.replace('/', '.'), false, HiddenMethod.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("this Hadoop has no class " + internalName, e);
        }
    }

    @Override
    public String toString() {
        return owner.replace('/', '.') + "." + name + descriptor;
    }
}
