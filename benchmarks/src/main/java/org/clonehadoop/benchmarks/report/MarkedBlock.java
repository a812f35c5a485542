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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What stands between two comments in a page that is written by hand otherwise. */
final class MarkedBlock {
    private static final Pattern BLOCK =
            Pattern.compile("(<!-- results -->\n).*?(<!-- end of results -->)", Pattern.DOTALL);

    private MarkedBlock() {}

    /**
     * @throws IOException if the page can't be read or written, or hasn't the two comments
     */
    static void replace(Path page, String text) throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(page));
        if (!block.find()) {
            throw new IOException(
                    page
                            + ": has no <!-- results --> and <!-- end of results --> on lines of theirs");
        }
        Files.writeString(page, block.replaceFirst("$1" + Matcher.quoteReplacement(text) + "$2"));
    }
}
