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
package org.apache.hadoop.clone.appmaster;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Function;

/** An AppMaster's part that isn't measured, and has to answer a little. */
final class StandIn {
    private StandIn() {}

    /**
     * @param answers by the methods' names; everything else is 0, false or null
     */
    static <T> T of(Class<T> type, Map<String, Function<Object[], ?>> answers) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) ->
                                switch (method.getName()) {
                                    case "hashCode" -> System.identityHashCode(self);
                                    case "equals" -> self == arguments[0];
                                    case "toString" -> type.getSimpleName();
                                    default -> {
                                        Function<Object[], ?> answer =
                                                answers.get(method.getName());
                                        yield answer == null
                                                ? nothing(method.getReturnType())
                                                : answer.apply(arguments);
                                    }
                                }));
    }

    private static Object nothing(Class<?> type) {
        if (type == boolean.class) {
            return false;
        } else if (type == int.class) {
            return 0;
        } else if (type == long.class) {
            return 0L;
        } else if (type == float.class) {
            return 0f;
        }
        return null;
    }
}
