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
package org.clonehadoop.selection.placement;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPModelRequest;
import com.google.ortools.linearsolver.MPModelRequest.SolverType;
import com.google.ortools.linearsolver.MPSolutionResponse;
import com.google.ortools.linearsolver.MPSolver;

/** OR-Tools' HiGHS, whose native code is loaded with the first model. */
final class Solver {
    /**
     * Optimal means optimal, and HiGHS has no banner for standard output. {@link MPSolver#solve}
     * passes none of that on to HiGHS; so the model goes there as a message.
     */
    private static final String PARAMETERS = "output_flag=false,mip_rel_gap=0";

    private Solver() {}

    /**
     * Unpacks and loads the native code, if that wasn't done before.
     *
     * @throws IllegalStateException in words for the user, if this machine has no such solver
     */
    static void load() {
        try {
            Loader.loadNativeLibraries();
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            throw new IllegalStateException(
                    "OR-Tools' native code doesn't load here ("
                            + e.getMessage()
                            + "); use adaptive",
                    e);
        }
    }

    /** An empty model. */
    static MPSolver model() {
        load();
        MPSolver model = MPSolver.createSolver("HIGHS");
        if (model == null) {
            throw new IllegalStateException("this OR-Tools has no HiGHS; use adaptive");
        }
        return model;
    }

    /**
     * Solves to proven optimality, or says why not. OR-Tools passes nothing on of what HiGHS had
     * found when its time was over.
     *
     * @return whether there is a solution
     * @throws Deadline.PassedException if it is neither solved nor shown to be infeasible by then
     * @throws IllegalStateException if it isn't for another reason
     */
    static boolean solve(MPSolver model, Deadline deadline) throws Deadline.PassedException {
        MPSolutionResponse response =
                MPSolver.solveWithProto(
                        MPModelRequest.newBuilder()
                                .setModel(model.exportModelToProto())
                                .setSolverType(SolverType.HIGHS_MIXED_INTEGER_PROGRAMMING)
                                .setSolverSpecificParameters(PARAMETERS)
                                .setSolverTimeLimitSeconds(deadline.seconds())
                                .build());
        switch (response.getStatus()) {
            case MPSOLVER_OPTIMAL:
                return model.loadSolutionFromProto(response);
            case MPSOLVER_INFEASIBLE:
                return false;
            default:
                deadline.check();
                throw new IllegalStateException(
                        "HiGHS gave up: " + response.getStatus() + " " + response.getStatusStr());
        }
    }
}
