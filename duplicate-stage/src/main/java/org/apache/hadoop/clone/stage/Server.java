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

/**
 * The layer below a stage, which serves copies: a disk, a connection, a cluster of servers, or
 * another stage.
 */
public interface Server<W> {

    /**
     * What the server tells of a copy. May be called by any thread, also from within {@link
     * #start}.
     */
    interface Progress {
        /** It begins to be served: at once, or when its turn has come in a queue further below. */
        void started();

        /**
         * Some of it was served.
         *
         * @param amount in units of the server's, bytes for example; what the stage's {@link Limit}
         *     goes by
         */
        void served(long amount);

        /**
         * It waits for its client more than for the server. It is served on, but others may have
         * its place; a duplicate gives way to all that have one.
         */
        void needsNoPlace();

        /** All of it was served. Its job is done. */
        void ended();

        /** It can't be served. The job's other copies go on. */
        void failed();
    }

    /**
     * Serves a copy, sooner or later. To throw is to fail; an error that isn't want of memory is
     * thrown on to whoever called the stage.
     *
     * @param progress {@code ended} or {@code failed} is called once, unless the copy is stopped
     */
    void start(Copy<W> copy, Progress progress);

    /** Stops a copy that was started and isn't needed any more. Harmless if it has ended. */
    void stop(Copy<W> copy);
}
