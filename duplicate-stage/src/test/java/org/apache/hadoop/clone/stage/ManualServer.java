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
package org.apache.hadoop.clone.stage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Serves nothing by itself: the test says when a copy has started, ended or failed. */
final class ManualServer implements Server<String> {
    /** Copies that were started and neither ended nor stopped, by what they do. */
    final Map<String, Progress> serving = new LinkedHashMap<>();

    final Map<String, Copy<String>> copies = new LinkedHashMap<>();
    final List<String> stopped = new ArrayList<>();

    @Override
    public void start(Copy<String> copy, Progress progress) {
        serving.put(copy.work(), progress);
        copies.put(copy.work(), copy);
    }

    @Override
    public void stop(Copy<String> copy) {
        serving.remove(copy.work());
        stopped.add(copy.work());
    }

    void started(String work) {
        serving.get(work).started();
    }

    void end(String work) {
        serving.remove(work).ended();
    }

    void fail(String work) {
        serving.remove(work).failed();
    }
}
