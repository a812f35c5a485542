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
package org.clonehadoop.selection.controller;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.clonehadoop.selection.fattree.FatTree;
import org.clonehadoop.selection.placement.Group;
import org.clonehadoop.selection.placement.Limits;
import org.clonehadoop.selection.placement.Problem;
import picocli.CommandLine.Option;

/** What all kinds of planning are asked with. */
final class Asked {
    @Option(
            names = "--topology",
            required = true,
            paramLabel = "fat-tree:K",
            description = "of switches with K ports")
    private String topology;

    @Option(
            names = "--traffic",
            required = true,
            arity = "1..*",
            paramLabel = "FILE",
            description = "what monitors counted: clone-switch netrs monitors --json")
    private List<Path> traffic;

    @Option(
            names = "--utilisation",
            defaultValue = "0.25",
            paramLabel = "U",
            description = "share of an accelerator that selection may use; ${DEFAULT-VALUE}")
    private double utilisation;

    @Option(
            names = "--cores",
            defaultValue = "1",
            paramLabel = "N",
            description = "of an accelerator; ${DEFAULT-VALUE}")
    private int cores;

    @Option(
            names = "--selection-micros",
            defaultValue = "5",
            paramLabel = "T",
            description = "that one selection takes a core; ${DEFAULT-VALUE}")
    private double micros;

    @Option(
            names = "--extra-hops",
            defaultValue = "0.1",
            paramLabel = "E",
            description = "per request in the mean, at most; ${DEFAULT-VALUE}")
    private double extraHops;

    @Option(
            names = "--failed",
            split = ",",
            paramLabel = "SWITCH",
            description = "as core-3: all at which nothing can be selected now")
    private List<String> failed = List.of();

    @Option(names = "--json", description = "the rules for switches, instead of a table")
    private boolean json;

    Problem problem() throws IOException {
        if (!(utilisation >= 0 && utilisation <= 1)
                || cores < 1
                || !(micros > 0)
                || !(extraHops >= 0)) {
            throw new IOException(
                    "--utilisation is from 0 to 1, --cores 1 or more, --selection-micros above 0,"
                            + " --extra-hops 0 or more");
        }
        FatTree tree = tree();
        List<Group> groups = Monitors.read(tree, traffic);
        double all = groups.stream().mapToDouble(Group::traffic).sum();
        Limits limits = Limits.uniform(tree, utilisation, cores, micros / 1e6, extraHops * all);
        return new Problem(tree, groups, limits.without(failed()));
    }

    /** Switches at which the problem allows nothing, for they have failed. */
    List<Integer> failed() throws IOException {
        try {
            return failed.stream().map(tree()::named).toList();
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private FatTree tree() throws IOException {
        try {
            return FatTree.parse(topology);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    boolean json() {
        return json;
    }
}
