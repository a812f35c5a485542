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
package org.apache.hadoop.clone.appmaster;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.clone.protocol.CloneLimits;
import org.apache.hadoop.clone.protocol.OneTimeKey;
import org.apache.hadoop.clone.protocol.SourcePaths;
import org.apache.hadoop.mapred.CloneableChild;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.apache.hadoop.yarn.api.ApplicationConstants;

/**
 * The commands of task containers. The NodeManager runs them as {@code exec /bin/bash -c
 * "COMMAND"}: what is written with $ is expanded by the shell around, with \$ by the one inside.
 */
final class LaunchCommand {
    private static final String CHILD = " org.apache.hadoop.mapred.YarnChild ";
    private static final String LOG_DIR = ApplicationConstants.LOG_DIR_EXPANSION_VAR;

    /** What needs no quoting in a shell. Files with other names travel with the clone. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./+-]+");

    private static final Pattern MOST_HEAP = Pattern.compile(" -Xmx(\\d+[kmgtKMGT]?)(?= )");

    /** What a job says of the heap that a JVM begins with. */
    private static final Pattern FIRST_HEAP = Pattern.compile(" -(Xms|Xmn|XX:(Initial|New))");

    /** Much less than a map that is cloned has in memory anyway. */
    private static final int SMALL_HEAP_MB = 64;

    /** Where tasks put their output, in each local directory of the application. */
    private static final String OUTPUT = "/output";

    /**
     * Makes that as a task makes it. Whatever directory is missing above what it receives pull
     * makes for its user alone; but map outputs are read by the NodeManager, which is another user
     * with the LinuxContainerExecutor.
     */
    private static final String MAKE_OUTPUT =
            " for d in \\${D[@]}; do mkdir -p \\$d" + OUTPUT + "; done;";

    /** What was set last, each a word. */
    private static final String ARGUMENTS = " \\\"\\$@\\\" ";

    private LaunchCommand() {}

    /** Whether the command is one that we know how to change. */
    static boolean isTask(String stock) {
        return stock.contains(CHILD);
    }

    /** Begins before YarnChild, and needs our jar on the class path. */
    private static final String CLONEABLE = CloneableChild.class.getName();

    /**
     * The JVM's performance data are a file mapping that another host hasn't. With its class data
     * archive at a random address the JVM rewrites all of that when it starts, and what is
     * rewritten has to be copied when it is cloned. That option is a diagnostic one, which a JVM
     * may not have: it wouldn't start. So only those get it that are known to have it;
     * IgnoreUnrecognizedVMOptions would hide what is wrong in options of the user's own.
     */
    private static final String JVM_OPTIONS =
            " -XX:-UsePerfData $(grep -qs -e JAVA_VERSION=.1[789] -e JAVA_VERSION=.2[0-4]"
                    + " $JAVA_HOME/release && echo -XX:+UnlockDiagnosticVMOptions"
                    + " -XX:ArchiveRelocationMode=0) ";

    /** Whether it is known to be older than what our classes are made for, which is 17. */
    private static final String IS_OLD_JAVA =
            "grep -qs -e JAVA_VERSION=.1[.0-6] -e JAVA_VERSION=.9 $JAVA_HOME/release";

    /**
     * A task that can be cloned. A node that hasn't the jar, or whose Java is too old for it, as in
     * a rolling upgrade, runs it as one that can't.
     *
     * @param agentJar path on the nodes, which the class path must name as well
     */
    static String cloneable(String stock, String agentJar) {
        return stock.replace(
                CHILD,
                JVM_OPTIONS
                        + "$([ -r JAR ] && ! OLD && echo -Dclone.agent.jar=JAR "
                                .replace("OLD", IS_OLD_JAVA)
                                .replace("JAR", agentJar)
                        + CLONEABLE
                        + ")"
                        + CHILD);
    }

    /**
     * A task whose heap begins small, as far as the job doesn't say how it begins: it never gets
     * smaller again than that, and by default it is 1/64 of the host's memory.
     */
    static String withSmallHeap(String stock) {
        Matcher most = MOST_HEAP.matcher(stock);
        return !FIRST_HEAP.matcher(stock).find() && most.find() && megabytes(most) >= SMALL_HEAP_MB
                ? stock.replace(CHILD, " -Xms" + SMALL_HEAP_MB + "m" + CHILD)
                : stock;
    }

    /** Of the last -Xmx, which is the one that counts. */
    private static long megabytes(Matcher most) {
        long bytes;
        do {
            bytes = TraditionalBinaryPrefix.string2long(most.group(1));
        } while (most.find());
        return bytes >> 20;
    }

    /**
     * The task's clone, or the task from its beginning where no clone can be made. Pull sees to
     * that once it has begun; whether it can begin, with these options, is tried before: a node may
     * have no tool, one that it can't load, or an older one.
     *
     * @param stock of the same task
     * @param address where the original waits
     */
    static String asClone(
            String stock, String tool, String address, SourcePaths source, CloneLimits limits) {
        StringBuilder command = new StringBuilder();
        command.append("exec 1>")
                .append(LOG_DIR)
                .append("/clone.log 2>&1;")
                .append(" IFS=, read -ra D <<<$LOCAL_DIRS; IFS=, read -ra L <<<$LOG_DIRS;")
                .append(MAKE_OUTPUT)
                .append(" STOCK='exec ")
                .append(stock.replace("'", "'\\''"))
                .append("'; set -- pull ")
                .append(address)
                .append(" --key-fd=3 --patience=")
                .append(limits.patienceMillis())
                .append(" --time-limit=")
                .append(limits.limitMillis())
                .append(" --dir=$PWD/clone-files --report=")
                .append(LOG_DIR)
                .append("/clone.json --map=")
                .append(source.workDir())
                .append("=$PWD/clone");
        appendMaps(command, source.localDirs(), "D", OUTPUT);
        appendMaps(command, source.logDirs(), "L", "");
        source.links().forEach((name, target) -> appendLink(command, name, target));
        command.append(" --resume='echo clone $CONTAINER_ID >")
                .append(source.workDir())
                .append('/')
                .append(SourcePaths.CLONE_DIR)
                .append('/')
                .append(SourcePaths.MESSAGES)
                .append("'; ")
                .append(tool)
                .append(ARGUMENTS)
                .append("--help >/dev/null && exec ")
                .append(tool)
                .append(ARGUMENTS)
                .append("-- /bin/bash -c \\\"\\$STOCK\\\" 3< <(grep -aoE '")
                .append(OneTimeKey.CREDENTIAL_PREFIX)
                .append("[0-9a-f]{64}' $HADOOP_TOKEN_FILE_LOCATION | cut -d : -f 2);")
                .append(" eval \\\"\\$STOCK\\\"");
        return command.toString();
    }

    /** What was localized is under the same name here, and wherever this node has put it. */
    private static void appendLink(StringBuilder command, String name, String target) {
        if (PLAIN.matcher(name).matches() && PLAIN.matcher(target).matches()) {
            command.append(" --map=")
                    .append(target)
                    .append("=$(readlink -f $PWD/")
                    .append(name)
                    .append(')');
        }
    }

    /** The source's i-th directory is the i-th here, and if there are fewer they are used again. */
    private static void appendMaps(
            StringBuilder command, List<String> sources, String array, String below) {
        for (int i = 0; i < sources.size(); i++) {
            command.append(" --map=")
                    .append(sources.get(i))
                    .append(below)
                    .append("=\\${")
                    .append(array)
                    .append('[')
                    .append(i)
                    .append(" % \\${#")
                    .append(array)
                    .append("[@]}]}")
                    .append(below);
        }
    }
}
