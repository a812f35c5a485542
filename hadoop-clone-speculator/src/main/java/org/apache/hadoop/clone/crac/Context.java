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
package org.apache.hadoop.clone.crac;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.classification.InterfaceStability;

/**
 * As {@code org.crac.Context}: the resources of this process, held weakly. They are closed in the
 * reverse order of their registration and opened in the opposite order of that.
 *
 * <p>Closing and opening exclude each other, however long user code takes for either.
 */
@InterfaceAudience.Public
@InterfaceStability.Evolving
public final class Context {
    private final List<WeakReference<Resource>> registered = new ArrayList<>();

    /** Those that were asked to close, the last one first; opened by {@link #afterRestore}. */
    private final List<Resource> closed = new ArrayList<>();

    private final Object turn = new Object();

    Context() {}

    /**
     * @throws NullPointerException if there is none
     */
    public void register(Resource resource) {
        Objects.requireNonNull(resource);
        synchronized (registered) {
            registered.add(new WeakReference<>(resource));
        }
    }

    /** Whether user code has registered anything that is still there. */
    public boolean isEmpty() {
        return resources().isEmpty();
    }

    private List<Resource> resources() {
        synchronized (registered) {
            registered.removeIf(reference -> reference.get() == null);
            List<Resource> resources = new ArrayList<>();
            registered.forEach(reference -> resources.add(reference.get()));
            resources.removeIf(Objects::isNull);
            return resources;
        }
    }

    /**
     * Asks resource after resource to close, until one doesn't want to. {@link #afterRestore} must
     * follow in any case.
     *
     * @throws CheckpointException says which one, and why
     */
    public void beforeCheckpoint() throws CheckpointException {
        synchronized (turn) {
            List<Resource> resources = resources();
            for (int i = resources.size() - 1; i >= 0; i--) {
                Resource resource = resources.get(i);
                closed.add(resource);
                try {
                    resource.beforeCheckpoint(this);
                } catch (Throwable e) {
                    throw new CheckpointException(
                            "its resource " + name(resource) + " doesn't want to be cloned: " + e,
                            e);
                }
            }
        }
    }

    /**
     * Opens all that were asked to close, also those behind one that fails.
     *
     * @throws RestoreException says which one failed first, and why
     */
    public void afterRestore() throws RestoreException {
        RestoreException failure = null;
        synchronized (turn) {
            for (int i = closed.size() - 1; i >= 0; i--) {
                Resource resource = closed.get(i);
                try {
                    resource.afterRestore(this);
                } catch (Throwable e) { // user code's: those behind it are opened all the same
                    if (failure == null) {
                        failure =
                                new RestoreException(
                                        "its resource " + name(resource) + " can't go on: " + e, e);
                    }
                }
            }
            closed.clear();
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static String name(Resource resource) {
        try {
            return resource.toString();
        } catch (Throwable e) { // user code's as well
            return resource.getClass().getName();
        }
    }
}
