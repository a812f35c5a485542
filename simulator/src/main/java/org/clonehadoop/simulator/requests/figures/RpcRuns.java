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

import org.clonehadoop.simulator.requests.rpc.RpcResult;
import org.clonehadoop.simulator.requests.rpc.RpcSpec;

/** Where the points of NetClone's figures come from: a simulation, or what was measured. */
interface RpcRuns {
    /**
     * @return what came of it, or null: the place has no such scheme
     * @throws NotMeasuredException if the place could, but this wasn't run yet
     */
    RpcResult of(RpcSpec spec) throws NotMeasuredException;
}
