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

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/** Writes a feed: a line of JSON each, gzipped. */
public final class FeedWriter implements Closeable {
    private static final ObjectWriter JSON =
            new ObjectMapper().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET).writer();

    private final Writer out;

    /** Closes the stream in the end. */
    public FeedWriter(OutputStream stream) throws IOException {
        out =
                new BufferedWriter(
                        new OutputStreamWriter(
                                new GZIPOutputStream(stream), StandardCharsets.UTF_8));
    }

    /**
     * @throws UncheckedIOException if it can't be written
     */
    public void write(FeedLine line) {
        try {
            out.write(JSON.writeValueAsString(line));
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
