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
package org.apache.hadoop.clone.hdfs.read;

/**
 * Where a read is cut into windows, each of which is a job of its own: a copy of a window has to be
 * kept until it is complete. Of a range that is read for its reader's sake windows are as large as
 * they may be. A stream asks for all of a block, and may want a little of it only: its windows
 * begin small, and become twice as large one after the other.
 */
final class Windows {
    private static final int FIRST_OF_STREAM = 256 * 1024;

    private final int most;
    private int next;

    private Windows(int first, int most) {
        this.next = first;
        this.most = most;
    }

    static Windows ofRange(int mostBytes) {
        return new Windows(mostBytes, mostBytes);
    }

    static Windows ofStream(int mostBytes) {
        return new Windows(Math.min(FIRST_OF_STREAM, mostBytes), mostBytes);
    }

    /**
     * Begins the next one.
     *
     * @param end of the whole read
     * @return where it ends
     */
    long next(long from, long end) {
        long windowsEnd = Math.min(end, from + next);
        next = (int) Math.min(most, 2L * next);
        return windowsEnd;
    }
}
