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
package org.clonehadoop.check;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * What a node is like, as {@code probe-node} prints it. What the node hasn't is null. What any
 * answer of it must have is there: one that lacks it, as a tool's of another release may, isn't
 * read.
 *
 * @param timeMillis of its clock when the probe began, since 1970
 * @param endMillis when it was through
 * @param ptraceScope Yama's {@code kernel.yama.ptrace_scope}, 0 where there is no Yama
 * @param userNamespaces how many its kernel allows
 * @param ourJars path to SHA-256
 * @param duplicateReads null where the DataNode's plugin for them isn't configured
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record NodeFacts(
        @JsonProperty("time_ms") long timeMillis,
        @JsonProperty("end_ms") long endMillis,
        String host,
        String kernel,
        String architecture,
        String cpu,
        @JsonProperty("ptrace_scope") int ptraceScope,
        @JsonProperty("user_namespaces") Long userNamespaces,
        @JsonProperty("pid_max") long pidMax,
        User user,
        Tool tool,
        Java java,
        Hadoop hadoop,
        @JsonProperty("our_jars") Map<String, String> ourJars,
        @JsonProperty("local_dirs") List<LocalDirectory> localDirectories,
        @JsonProperty("duplicate_reads") DuplicateReads duplicateReads,
        Ports ports,
        @JsonProperty("free_ports") List<Integer> freePorts,
        Memory memory) {
    /** Without those, nothing is tried. */
    NodeFacts {
        freePorts = freePorts == null ? List.of() : List.copyOf(freePorts);
        ourJars = ourJars == null ? Map.of() : ourJars;
        requireNonNull(memory, "its memory");
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record User(String name, long uid, long gid, List<String> groups) {
        User {
            requireNonNull(name, "the user's name");
        }
    }

    /**
     * The native tool.
     *
     * @param checkedAs by whose rights it has judged its node
     * @param check null if it doesn't run
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Tool(
            String path,
            String sha256,
            @JsonProperty("checked_as") String checkedAs,
            ToolCheck check) {}

    /**
     * {@code criu-remote-clone check --json}.
     *
     * @param host null if it can't be told, which is a requirement that isn't met
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record ToolCheck(boolean able, List<Requirement> requirements, Host host) {
        ToolCheck {
            requireNonNull(requirements, "the tool's requirements");
            if (able) {
                requireNonNull(host, "the tool's host");
            }
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Requirement(String name, String status, String detail, String fix) {
        Requirement {
            requireNonNull(name, "a requirement's name");
            requireNonNull(status, "a requirement's status");
        }
    }

    /**
     * What the tool judges a pair by.
     *
     * @param cpuFlags those that programs can notice
     * @param cpuRegisterFlags those of them that add registers to be saved
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Host(
            String criu,
            String kernel,
            String architecture,
            @JsonProperty("page_size") long pageSize,
            @JsonProperty("cpu_flags") List<String> cpuFlags,
            @JsonProperty("cpu_register_flags") List<String> cpuRegisterFlags) {
        Host {
            requireNonNull(criu, "CRIU's version");
            requireNonNull(kernel, "the kernel's version");
            requireNonNull(cpuFlags, "the processor's flags");
            requireNonNull(cpuRegisterFlags, "the processor's flags of registers");
        }
    }

    /**
     * The containers' JDK.
     *
     * @param libjvm SHA-256
     * @param libraries SHA-256 over those of the system that the JVM loads
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Java(String home, String version, String libjvm, String libraries) {
        Java {
            requireNonNull(version, "Java's version");
        }
    }

    /**
     * @param jars SHA-256 over names and sizes
     * @param version null if it can't be told
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Hadoop(String home, String jars, String version) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record LocalDirectory(
            String path, boolean writable, @JsonProperty("free_mb") Long freeMegabytes) {}

    /**
     * What duplicates of reads need of a DataNode.
     *
     * @param jar null if it isn't among Hadoop's own
     * @param trafficClass as configured, as the two below; blank if it is the default
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record DuplicateReads(
            String jar,
            @JsonProperty("traffic_class") String trafficClass,
            @JsonProperty("io_class") String ioClass,
            String yield,
            boolean ionice,
            List<Link> links,
            List<Disk> disks) {
        /**
         * A network device with an address.
         *
         * @param qdiscs kinds, the root's first
         */
        @JsonIgnoreProperties(ignoreUnknown = true)
        record Link(String device, List<String> qdiscs) {}

        /**
         * @param scheduler blank if its queue has none
         */
        @JsonIgnoreProperties(ignoreUnknown = true)
        record Disk(String device, String scheduler) {}
    }

    /** The range that originals may listen on, and how many of it are taken. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Ports(int first, int last, int busy) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Memory(
            @JsonProperty("total_mb") long totalMegabytes,
            @JsonProperty("available_mb") long availableMegabytes,
            @JsonProperty("swap_mb") long swapMegabytes,
            @JsonProperty("shm_mb") Long shmMegabytes) {}
}
