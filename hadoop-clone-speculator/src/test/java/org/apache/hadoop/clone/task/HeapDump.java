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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A JVM's heap as {@code jcmd GC.heap_dump} writes it: HPROF 1.0.2, on a 64-bit machine. Knows who
 * refers to what, and what is in arrays of bytes; class names have slashes.
 */
final class HeapDump {
    /**
     * A field, "package/Class.field", or a slot of an array, "[Lpackage/Class;[]", of an object.
     */
    record Holder(long object, String slot) {}

    /** Sizes of the basic types by their number; 2 is a reference. */
    private static final int[] SIZES = {0, 0, 8, 0, 1, 2, 4, 8, 1, 2, 4, 8};

    private static final int REFERENCE = 2;
    private static final int BYTE = 8;

    private record Field(long name, int type) {}

    private record Type(long superclass, List<Field> fields) {}

    private final ByteBuffer in;
    private final Map<Long, String> names = new HashMap<>();
    private final Map<Long, Long> typeNames = new HashMap<>();
    private final Map<Long, Type> types = new HashMap<>();
    private final Map<Long, Integer> instances = new HashMap<>();
    private final Map<Long, Long> typeOf = new HashMap<>();
    private final Map<Long, byte[]> bytes = new HashMap<>();
    private final Map<Long, List<Holder>> holders = new HashMap<>();

    private HeapDump(ByteBuffer in) {
        this.in = in;
    }

    static HeapDump read(Path file) throws IOException {
        HeapDump dump = new HeapDump(ByteBuffer.wrap(Files.readAllBytes(file)));
        dump.readAll();
        return dump;
    }

    /** Arrays of bytes by their objects. */
    Map<Long, byte[]> byteArrays() {
        return bytes;
    }

    /** Who refers to the object. */
    List<Holder> holders(long object) {
        return holders.getOrDefault(object, List.of());
    }

    /** Objects of exactly that class. */
    List<Long> instancesOf(String type) {
        return typeOf.entrySet().stream()
                .filter(one -> type.equals(name(one.getValue())))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** A field of type int. */
    int intOf(long object, String field) {
        int at = instances.get(object);
        for (Long type = typeOf.get(object); type != 0; type = types.get(type).superclass()) {
            for (Field one : types.get(type).fields()) {
                if (field.equals(names.get(one.name()))) {
                    return in.getInt(at);
                }
                at += SIZES[one.type()];
            }
        }
        throw new IllegalArgumentException("no " + field + " in " + name(typeOf.get(object)));
    }

    private String name(long type) {
        return names.get(typeNames.get(type));
    }

    private void readAll() {
        while (in.get() != 0) {
            // "JAVA PROFILE 1.0.2"
        }
        if (in.getInt() != Long.BYTES) {
            throw new IllegalStateException("not of a 64-bit machine");
        }
        in.getLong();
        while (in.hasRemaining()) {
            int tag = in.get();
            in.getInt();
            int end = in.getInt() + in.position();
            switch (tag) {
                case 0x01 -> {
                    long id = in.getLong();
                    byte[] text = new byte[end - in.position()];
                    in.get(text);
                    names.put(id, new String(text, StandardCharsets.UTF_8));
                }
                case 0x02 -> {
                    in.getInt();
                    long id = in.getLong();
                    in.getInt();
                    typeNames.put(id, in.getLong());
                }
                case 0x0c, 0x1c -> readHeap(end);
                default -> in.position(end);
            }
        }
        instances.forEach(this::noteFields);
    }

    private void readHeap(int end) {
        while (in.position() < end) {
            int tag = in.get() & 0xff;
            switch (tag) {
                // Roots: they refer to objects, nothing refers to them.
                case 0x01, 0x02, 0x03, 0x08 -> skip(16);
                case 0x04, 0x06 -> skip(12);
                case 0x05, 0x07, 0xff -> skip(8);
                case 0x20 -> readType();
                case 0x21 -> readInstance();
                case 0x22 -> readObjects();
                case 0x23 -> readPrimitives();
                default -> throw new IllegalStateException("unknown in heap: " + tag);
            }
        }
    }

    private void skip(int length) {
        in.position(in.position() + length);
    }

    private void readType() {
        long id = in.getLong();
        in.getInt();
        long superclass = in.getLong();
        skip(5 * Long.BYTES + Integer.BYTES);
        for (int left = in.getShort(); left > 0; left--) {
            in.getShort();
            skip(SIZES[in.get()]);
        }
        for (int left = in.getShort(); left > 0; left--) {
            long name = in.getLong();
            int type = in.get();
            if (type == REFERENCE) {
                hold(in.getLong(), id, "static " + name(id) + "." + names.get(name));
            } else {
                skip(SIZES[type]);
            }
        }
        List<Field> fields = new ArrayList<>();
        for (int left = in.getShort(); left > 0; left--) {
            fields.add(new Field(in.getLong(), in.get()));
        }
        types.put(id, new Type(superclass, fields));
    }

    private void readInstance() {
        long id = in.getLong();
        in.getInt();
        typeOf.put(id, in.getLong());
        int length = in.getInt();
        instances.put(id, in.position());
        skip(length);
    }

    private void readObjects() {
        long id = in.getLong();
        in.getInt();
        int length = in.getInt();
        String slot = name(in.getLong()) + "[]";
        for (int i = 0; i < length; i++) {
            hold(in.getLong(), id, slot);
        }
    }

    private void readPrimitives() {
        long id = in.getLong();
        in.getInt();
        int length = in.getInt();
        int type = in.get();
        if (type == BYTE) {
            byte[] content = new byte[length];
            in.get(content);
            bytes.put(id, content);
        } else {
            skip(length * SIZES[type]);
        }
    }

    /** Once all classes are known: the fields of an instance, its own class's first. */
    private void noteFields(long object, int start) {
        int at = start;
        for (long type = typeOf.get(object); type != 0; type = types.get(type).superclass()) {
            for (Field field : types.get(type).fields()) {
                if (field.type() == REFERENCE) {
                    hold(in.getLong(at), object, name(type) + "." + names.get(field.name()));
                }
                at += SIZES[field.type()];
            }
        }
    }

    private void hold(long object, long by, String slot) {
        if (object != 0) {
            holders.computeIfAbsent(object, o -> new ArrayList<>()).add(new Holder(by, slot));
        }
    }
}
