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
package org.clonehadoop.simulator.requests.figures;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.clonehadoop.simulator.requests.rpc.RpcResult;
import org.clonehadoop.simulator.requests.rpc.RpcScheme;
import org.clonehadoop.simulator.requests.rpc.RpcSpec;

/** What {@code benchmarks/requests/run} measured: a file of lines, each a result as JSON. */
final class MeasuredRuns implements RpcRuns {
    /** What an answer told always ages in request-switch: there is no scheme without that. */
    private static final Set<RpcScheme> MISSING =
            EnumSet.of(RpcScheme.COUNTED, RpcScheme.NETCLONE_RACKSCHED);

    private final Map<RpcSpec, RpcResult> results = new HashMap<>();

    MeasuredRuns(Path file) throws IOException {
        ObjectMapper mapper =
                new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        for (String line : Files.readAllLines(file)) {
            JsonNode run = mapper.readTree(line);
            RpcResult result = mapper.treeToValue(run, RpcResult.class);
            results.put(key(result.spec()), result.withRequests(run.path("asked").asLong()));
        }
    }

    /** Whether the testbed has it. */
    static boolean can(RpcScheme scheme) {
        return !MISSING.contains(scheme);
    }

    @Override
    public RpcResult of(RpcSpec spec) {
        if (!can(spec.scheme())) {
            return null;
        }
        RpcResult result = results.get(key(spec));
        if (result == null) {
            throw new NotMeasuredException(
                    "%s of %s at %.1f wasn't measured"
                            .formatted(spec.scheme().title(), spec.service().title(), spec.load()));
        }
        return result;
    }

    /** How many requests a run had doesn't matter. */
    private static RpcSpec key(RpcSpec spec) {
        return spec.withRequests(0);
    }
}
