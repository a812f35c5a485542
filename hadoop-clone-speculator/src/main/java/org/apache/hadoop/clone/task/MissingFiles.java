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

import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * In a clone, files that it is about to go on with and that aren't there: what the original has
 * written to them is on another host, if it is anywhere. A clone that went on with new ones would
 * put out something else. So that its own code sees nothing of that, the clone ends, and the
 * original runs on.
 */
final class MissingFiles {
    private final OpenHooks hooks = new OpenHooks();
    private final Consumer<String> end;
    private Class<?> holder;
    private boolean guarded;
    private volatile Supplier<? extends Collection<Path>> own;

    /**
     * @param end what a clone does that lacks a file, which isn't to return; with the reason
     */
    MissingFiles(Consumer<String> end) {
        this.end = end;
    }

    /**
     * In the original, so that where a clone couldn't be guarded nothing is stopped or copied. No
     * file is opened in another way because of it. Only by the thread that carries out orders.
     *
     * @throws IllegalStateException if this JDK isn't as it is known
     */
    void prepare() throws IOException {
        if (holder == null) {
            OpenHooks.check();
            CloneAgent.open(CloneAgent.instrumentation(), FileOutputStream.class);
            try {
                holder =
                        MethodHandles.privateLookupIn(
                                        FileOutputStream.class, MethodHandles.lookup())
                                .defineClass(OpenHooks.holder());
            } catch (IllegalAccessException | LinkageError e) {
                throw new IllegalStateException("nobody would see which files a clone opens", e);
            }
        }
    }

    /**
     * From now on this process, which is a clone, ends before it goes on with a file that isn't
     * there.
     *
     * @param directories its own, of which it has all that its original had; some may not be there
     * @throws IllegalStateException if that can't be had
     */
    void guard(Supplier<? extends Collection<Path>> directories)
            throws ReflectiveOperationException, UnmodifiableClassException {
        own = directories;
        if (guarded) {
            return; // a clone's clone
        }
        OpenHooks.tell(holder, this::opens);
        Instrumentation agent = CloneAgent.instrumentation();
        agent.addTransformer(hooks, true);
        agent.retransformClasses(OpenHooks.sites());
        if (!hooks.written().containsAll(OpenHooks.SITES)) {
            throw new IllegalStateException("nobody would see which files a clone opens");
        }
        guarded = true;
    }

    /** Somebody opens a file, in whatever thread and for whatever purpose. */
    private void opens(Object path, int goesOn) {
        if (goesOn == 0) {
            return;
        }
        try {
            if (isMissing(Path.of(path.toString()), own.get())) {
                end.accept("it would go on with " + path + ", which isn't on this host");
            }
        } catch (IOException | RuntimeException e) {
            end.accept("nobody knows whether " + path + " is its own: " + e);
        }
    }

    /**
     * Whether a file that is to be gone on with isn't there, and might be on another host.
     *
     * @param own directories of which this process has all
     */
    static boolean isMissing(Path path, Collection<Path> own) throws IOException {
        if (Files.exists(path)) {
            return false;
        }
        if (Files.isSymbolicLink(path)) {
            return true; // whereto, is somebody's guess
        }
        Path there = path.toAbsolutePath();
        while (!Files.exists(there)) {
            there = there.getParent();
        }
        Path real = there.toRealPath();
        for (Path directory : List.copyOf(own)) {
            if (Files.exists(directory) && real.startsWith(directory.toRealPath())) {
                return false;
            }
        }
        return true;
    }
}
