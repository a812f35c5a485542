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
package org.clonehadoop.benchmarks.feed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Reads a feed. */
public final class FeedReader {
    private static final ObjectReader JSON =
            new ObjectMapper()
                    .readerFor(FeedLine.class)
                    .with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private FeedReader() {}

    /**
     * @return its lines; the first is a {@link FeedLine.Begin}
     * @throws IOException if it can't be read, or isn't a feed of this {@link FeedLine#VERSION}
     */
    public static List<FeedLine> read(Path file) throws IOException {
        List<FeedLine> lines = new ArrayList<>();
        try (InputStream stream = Files.newInputStream(file);
                BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(
                                        new GZIPInputStream(stream), StandardCharsets.UTF_8))) {
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                lines.add(JSON.readValue(text));
            }
        } catch (JsonProcessingException e) {
            throw new IOException(
                    file
                            + ", line "
                            + (lines.size() + 1)
                            + " is none of a feed: "
                            + e.getOriginalMessage(),
                    e);
        }
        if (lines.isEmpty()
                || !(lines.get(0) instanceof FeedLine.Begin begin)
                || begin.version() != FeedLine.VERSION) {
            throw new IOException(file + " is no feed of version " + FeedLine.VERSION);
        }
        return lines;
    }
}
