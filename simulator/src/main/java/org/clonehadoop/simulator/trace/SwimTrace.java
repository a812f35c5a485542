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
package org.clonehadoop.simulator.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads traces of SWIM's form: a line for each job, of id, submission (s), gap to the job before
 * (s), and bytes of map input, shuffle and output, with a tab between each two.
 */
final class SwimTrace {
    private static final int COLUMNS = 6;
    private static final double MEGABYTE = 1 << 20;

    private SwimTrace() {}

    /**
     * @param seconds jobs that are submitted later are left out
     * @throws IOException if the file can't be read, a line is no job, or none is left
     */
    static List<SwimJob> read(Path file, double seconds) throws IOException {
        List<SwimJob> jobs = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            try {
                SwimJob job = job(line);
                if (job.submitSeconds() < seconds) {
                    jobs.add(job);
                }
            } catch (IllegalArgumentException notOne) {
                throw new IOException(
                        file + ":" + number + ": no job: " + notOne.getMessage(), notOne);
            }
        }
        if (jobs.isEmpty()) {
            throw new IOException(file + ": no job is submitted in the first " + seconds + " s");
        }
        return jobs;
    }

    private static SwimJob job(String line) {
        String[] columns = line.split("\t", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalArgumentException(
                    columns.length + " columns, and not " + COLUMNS + ", with a tab between");
        }
        return new SwimJob(
                columns[0],
                number(columns[1]),
                number(columns[3]) / MEGABYTE,
                number(columns[4]) / MEGABYTE,
                number(columns[5]) / MEGABYTE);
    }

    private static long number(String column) {
        long number = Long.parseLong(column);
        if (number < 0) {
            throw new IllegalArgumentException(number + " is less than 0");
        }
        return number;
    }
}
