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
package org.apache.hadoop.clone.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A {@code criu-remote-clone serve} that freezes nobody: runs the hooks when a test wants it, so
 * that all that the process notices of a clone can be had where CRIU can't run, and failures at
 * will.
 */
final class ScriptedTool {
    private static final String BEGINNING =
            """
            #!/bin/bash
            printf '%s\\n' "$@" > arguments
            for argument; do
                case $argument in
                    --*=*)
                        name=${argument%%=*} name=${name#--}
                        declare "${name//-/_}=${argument#*=}"
                        ;;
                esac
            done
            stat -c %a "$key_file" > key-mode
            cat "$key_file" > key
            await() { while [ ! -e "$1" ]; do sleep 0.01; done; }
            listen() { echo 4711 > port && mv port "$port_file"; }
            settle() { sh -c "$settle"; }
            quiesce() { sh -c "$quiesce"; }
            resume() { CLONE_OUTCOME=$1 sh -c "$resume"; }
            end() { echo "$2" >&2; echo "$3" > "$report"; exit "$1"; }
            """;

    private final Path directory;
    private final Path script;

    /**
     * @param directory for what it notes
     * @param steps in bash: listen, settle, quiesce, resume OUTCOME, await FILE, end CODE WORD
     *     REPORT
     */
    ScriptedTool(Path directory, String steps) throws IOException {
        this.directory = Files.createDirectories(directory);
        script = directory.resolve("tool");
        String start = BEGINNING.replaceFirst("\n", "\ncd '" + directory + "' || exit\n");
        Files.writeString(script, start + steps);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    String path() {
        return script.toString();
    }

    /** Has it made that file, or noted that? */
    boolean has(String name) {
        return Files.exists(directory.resolve(name));
    }

    String read(String name) throws IOException {
        return Files.readString(directory.resolve(name)).strip();
    }

    /** What it may be waiting for. */
    void make(String name) throws IOException {
        Files.createFile(directory.resolve(name));
    }
}
