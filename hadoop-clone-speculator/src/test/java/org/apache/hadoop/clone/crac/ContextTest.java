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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ContextTest {
    private final Context context = new Context();
    private final List<String> calls = new ArrayList<>();

    private final class Noting implements Resource {
        private final String name;
        private boolean failing;

        Noting(String name) {
            this.name = name;
        }

        @Override
        public void beforeCheckpoint(Context of) throws Exception {
            calls.add("close " + name);
            fail();
        }

        @Override
        public void afterRestore(Context of) throws Exception {
            calls.add("open " + name);
            fail();
        }

        private void fail() throws Exception {
            if (failing) {
                throw new Exception("not now");
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final Noting first = new Noting("first");
    private final Noting second = new Noting("second");

    @Test
    void closesBackwardsAndOpensForwards() throws Exception {
        context.register(first);
        context.register(second);
        context.beforeCheckpoint();
        context.afterRestore();
        assertThat(calls)
                .containsExactly("close second", "close first", "open first", "open second");
    }

    @Test
    void opensWhatWasClosedWhenOneDoesNotWantTo() throws Exception {
        context.register(first);
        context.register(second);
        second.failing = true;
        assertThatThrownBy(context::beforeCheckpoint)
                .isInstanceOf(CheckpointException.class)
                .hasMessage(
                        "its resource second doesn't want to be cloned: java.lang.Exception: not now");
        second.failing = false;
        context.afterRestore();
        assertThat(calls).containsExactly("close second", "open second");
    }

    @Test
    void opensTheOthersWhenOneFails() throws Exception {
        context.register(first);
        context.register(second);
        context.beforeCheckpoint();
        calls.clear();
        first.failing = true;
        assertThatThrownBy(context::afterRestore)
                .isInstanceOf(RestoreException.class)
                .hasMessage("its resource first can't go on: java.lang.Exception: not now");
        assertThat(calls).containsExactly("open first", "open second");
    }

    @Test
    void opensNothingThatWasNotClosed() throws Exception {
        context.register(first);
        context.afterRestore();
        assertThat(calls).isEmpty();
    }

    @Test
    void onlyTheAppMasterOrdersClones() {
        assertThatThrownBy(Core::checkpointRestore)
                .isInstanceOf(UnsupportedOperationException.class);
    }

    /** User code in a job class loader brings an org.crac of its own. */
    @Test
    void hearsOfResourcesFromAnyClassLoader() throws Exception {
        Core.offer();
        try (URLClassLoader jobs = jobClassLoader()) {
            Class<?> user = jobs.loadClass(JobsResource.class.getName());
            assertThat(user.getClassLoader()).isSameAs(jobs);
            Object resource = user.getDeclaredConstructor().newInstance();
            Core.getGlobalContext().beforeCheckpoint();
            Core.getGlobalContext().afterRestore();
            assertThat(resource).hasToString("closed, opened");
        }
    }

    /** Ours always comes from the parent, as org.apache.hadoop does; org.crac from the job. */
    private static URLClassLoader jobClassLoader() {
        Function<Class<?>, URL> source =
                type -> type.getProtectionDomain().getCodeSource().getLocation();
        URL[] jars = {source.apply(org.crac.Core.class), source.apply(JobsResource.class)};
        return new URLClassLoader(jars, ContextTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve)
                    throws ClassNotFoundException {
                boolean own = name.startsWith("org.crac.") || name.endsWith("JobsResource");
                if (!own) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        };
    }

    /** Registers itself, as user code does. */
    public static final class JobsResource implements org.crac.Resource {
        private final List<String> calls = new ArrayList<>();

        public JobsResource() {
            org.crac.Core.getGlobalContext().register(this);
        }

        @Override
        public void beforeCheckpoint(org.crac.Context<? extends org.crac.Resource> context) {
            calls.add("closed");
        }

        @Override
        public void afterRestore(org.crac.Context<? extends org.crac.Resource> context) {
            calls.add("opened");
        }

        @Override
        public String toString() {
            return String.join(", ", calls);
        }
    }
}
