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

import java.util.OptionalLong;
import java.util.function.Predicate;

/** A place at which copies wait for their turn: the paper's D-Stage interface (table 2). */
public interface Stage<W> {

    /** Takes a job, and makes the duplicates that its policy asks for. */
    void dispatch(Job<W> job);

    /**
     * Takes a copy that another stage has made. It isn't duplicated again.
     *
     * @return whether it was taken: a full stage takes no duplicates
     */
    boolean dispatch(Copy<W> copy);

    /**
     * Starts what may start now. The stage does so itself when something was dispatched, purged or
     * has ended; to be called when a delay has passed, and when a {@link Gate} has opened.
     *
     * @return after how many nanoseconds, from 0, the next delayed copy is due; empty without one
     */
    OptionalLong schedule();

    /**
     * Removes copies that aren't needed any more.
     *
     * @param unneeded by any of a copy's data: its id, its age
     * @return how many were removed or stopped
     */
    int purge(Predicate<Copy<W>> unneeded, Cascade cascade);
}
