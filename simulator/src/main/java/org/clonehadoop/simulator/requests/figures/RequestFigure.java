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

import java.util.List;

/**
 * One figure, simulated or measured.
 *
 * @param id R- and the number of NetRS', C- and that of NetClone's, O- for our own
 * @param note what of the paper's set-up it leaves open, and how it is filled here; may be empty
 * @param runs all results it was made of
 */
record RequestFigure(
        String id,
        String title,
        String note,
        List<Chart> charts,
        List<Claim> claims,
        List<?> runs) {}
