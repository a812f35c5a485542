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
package org.clonehadoop.benchmarks.report;

/** A picture beside the page. */
enum Plot {
    RATIOS("CloneHadoop's job time over Hadoop's", ""),
    ONSET("CloneHadoop's job time over Hadoop's, measured", "-onset"),
    SIMULATED("Our job time over Hadoop's, simulated", "-onset-simulated"),
    FORMULA("With clones over without, by the formula", "-formula"),
    SIMULATED_FORMULA("With clones over without, by the formula", "-formula-simulated");

    private final String title;
    private final String suffix;

    Plot(String title, String suffix) {
        this.title = title;
        this.suffix = suffix;
    }

    String title() {
        return title;
    }

    /** Beside a page of that name. */
    String file(String page) {
        return page.replaceFirst("\\.md$", "") + suffix + ".svg";
    }
}
