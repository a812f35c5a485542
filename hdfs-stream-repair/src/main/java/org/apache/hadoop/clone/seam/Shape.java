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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Classes, methods and fields of Hadoop's that a part of ours needs, hidden ones and public ones.
 * The build reads them out of our own classes ({@code ShapeWriter}), so that none is forgotten.
 */
@InterfaceAudience.Private
public final class Shape {
    private static final String RESOURCES = "META-INF/clone-seam/";
    private static final String OR = "\\|";

    /** Any method of that name that the class itself has, as frames of stacks name it. */
    static final String FRAME = "*";

    private final List<Member> members;

    /**
     * A member, or a class alone.
     *
     * @param owner internal name of the class by which it is looked up
     * @param name empty for a class alone
     * @param descriptor empty for a class alone; of a field it may be several, with a bar between;
     *     or {@link #FRAME}
     */
    public record Member(String owner, String name, String descriptor) {
        /** As a line of {@link Shape}'s file. */
        public String toLine() {
            return (owner + " " + name + " " + descriptor).strip();
        }

        static Member ofLine(String line) {
            String[] words = line.split(" ");
            return words.length == 1
                    ? new Member(words[0], "", "")
                    : new Member(words[0], words[1], words[2]);
        }

        private boolean isAmong(Set<String> there) {
            return Stream.of(descriptor.split(OR))
                    .anyMatch(one -> there.contains(name.concat(one)));
        }

        @Override
        public String toString() {
            String type = owner.replace('/', '.');
            if (name.isEmpty()) {
                return type;
            }
            return type + "." + name + (descriptor.startsWith("(") ? descriptor : "");
        }
    }

    private Shape(List<Member> members) {
        this.members = members;
    }

    /** Where a part's is, below the classes. */
    public static String resource(String part) {
        return RESOURCES + part;
    }

    /**
     * @param parts names of lists
     * @throws IOException if our own jar isn't whole
     */
    public static Shape of(String... parts) throws IOException {
        List<Member> members = new ArrayList<>();
        for (String part : parts) {
            try (InputStream in =
                    Shape.class.getClassLoader().getResourceAsStream(resource(part))) {
                if (in == null) {
                    throw new IOException("our own jar has no " + resource(part));
                }
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                        .lines()
                        .map(Member::ofLine)
                        .forEach(members::add);
            }
        }
        return new Shape(members);
    }

    /** All of it. */
    public List<Member> members() {
        return members;
    }

    /** The first that a Hadoop hasn't; its classes are loaded, but not initialized. */
    public Optional<Member> missing(ClassLoader hadoop) {
        Map<String, Set<String>> known = new HashMap<>();
        for (Member member : members) {
            Set<String> there =
                    known.computeIfAbsent(member.owner(), owner -> membersOf(owner, hadoop));
            if (there.isEmpty()) {
                return Optional.of(new Member(member.owner(), "", ""));
            }
            if (!member.isAmong(there)) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    /** With the empty name, for the class itself; nothing if there is no such class. */
    private static Set<String> membersOf(String owner, ClassLoader hadoop) {
        Set<String> found = new HashSet<>();
        try {
            Class<?> type = Class.forName(owner.replace('/', '.'), false, hadoop);
            add(type, found);
            addFrames(type, found);
            found.add("");
        } catch (ClassNotFoundException | LinkageError e) {
            found.clear();
        }
        return found;
    }

    private static void add(Class<?> type, Set<String> to) {
        if (type == null) {
            return;
        }
        to.addAll(declared(type));
        add(type.getSuperclass(), to);
        for (Class<?> superType : type.getInterfaces()) {
            add(superType, to);
        }
    }

    private static void addFrames(Class<?> type, Set<String> to) {
        to.add("<init>" + FRAME);
        for (Method method : type.getDeclaredMethods()) {
            to.add(method.getName() + FRAME);
        }
    }

    /** Names and descriptors of what a class itself has, as its class file has them. */
    static Set<String> declared(Class<?> type) {
        Set<String> found = new HashSet<>();
        for (Field field : type.getDeclaredFields()) {
            found.add(field.getName() + field.getType().descriptorString());
        }
        for (Method method : type.getDeclaredMethods()) {
            found.add(
                    method.getName()
                            + descriptor(method.getReturnType(), method.getParameterTypes()));
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            found.add("<init>" + descriptor(void.class, constructor.getParameterTypes()));
        }
        return found;
    }

    private static String descriptor(Class<?> result, Class<?>[] parameters) {
        return MethodType.methodType(result, parameters).descriptorString();
    }
}
