package org.apache.hadoop.clone.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** Where an attempt's files are on its node: absolute paths, in the NodeManager's order. */
public final class SourcePaths implements Writable {
    /** Below the working directory: where original, tool and clone talk while a clone is made. */
    public static final String CLONE_DIR = ".clone";

    /** In it: the FIFO in which hooks tell the process what happened. */
    public static final String MESSAGES = "messages";

    private String workDir = "";
    private List<String> localDirs = List.of();
    private List<String> logDirs = List.of();

    /** For deserialization. */
    public SourcePaths() {}

    /**
     * @param workDir the container's working directory
     * @param localDirs the application's directories, {@code LOCAL_DIRS} of the container
     * @param logDirs the container's log directories, {@code LOG_DIRS}
     */
    public SourcePaths(String workDir, List<String> localDirs, List<String> logDirs) {
        this.workDir = workDir;
        this.localDirs = List.copyOf(localDirs);
        this.logDirs = List.copyOf(logDirs);
    }

    public String workDir() {
        return workDir;
    }

    public List<String> localDirs() {
        return localDirs;
    }

    public List<String> logDirs() {
        return logDirs;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        WritableUtils.writeString(out, workDir);
        WritableUtils.writeStringArray(out, localDirs.toArray(String[]::new));
        WritableUtils.writeStringArray(out, logDirs.toArray(String[]::new));
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        workDir = WritableUtils.readString(in);
        localDirs = Arrays.asList(WritableUtils.readStringArray(in));
        logDirs = Arrays.asList(WritableUtils.readStringArray(in));
    }

    @Override
    public String toString() {
        return "work " + workDir + ", local " + localDirs + ", logs " + logDirs;
    }
}
