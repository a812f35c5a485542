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

import java.util.List;

/**
 * Work that may be done in several places, all the same.
 *
 * @param <W> what a server needs to know to do it
 * @param places what each copy does, the primary first: reading one range from this replica or from
 *     that one. A copy for which there is no place isn't made
 */
public record Job<W>(JobId id, Policy policy, List<W> places) {
    public Job {
        places = List.copyOf(places);
        if (places.isEmpty()) {
            throw new IllegalArgumentException("job " + id + " can't be done anywhere");
        }
    }
}
