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
import java.net.URI;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * Keeps clients of HDFS that no cache of Hadoop's knows, or only that of a ViewFs, and opens a file
 * with each at its end. It holds them until somebody has made the file {@link #SEEN} beside them:
 * the NameNode tells whose they are.
 */
public final class KeptClientsMapper extends Mapper<LongWritable, Text, LongWritable, Text> {
    static final String DIRECTORY = "/made-by";
    static final String OF_CONTEXT = "context";
    static final String OF_UNCACHED = "uncached";
    static final String OF_VIEW = "view";
    static final String SEEN = "seen";

    private static final Path ROOT = new Path("/");

    private FileContext files;
    private FileSystem uncached;
    private FileSystem view;

    @Override
    protected void setup(Context context) throws IOException {
        files = FileContext.getFileContext(context.getConfiguration());
        files.getFileStatus(ROOT);
        Configuration own = new Configuration(context.getConfiguration());
        own.setBoolean("fs.hdfs.impl.disable.cache", true);
        uncached = FileSystem.get(own);
        uncached.mkdirs(new Path(DIRECTORY));
        own.setBoolean("fs.viewfs.impl.disable.cache", true);
        own.set("fs.viewfs.mounttable.all.link." + DIRECTORY, uncached.getUri() + DIRECTORY);
        view = FileSystem.get(URI.create("viewfs://all/"), own);
        view.getFileStatus(new Path(DIRECTORY));
    }

    @Override
    protected void cleanup(Context context) throws IOException {
        String attempt = context.getTaskAttemptID().toString();
        begin(
                files.create(
                        path(attempt, OF_CONTEXT),
                        EnumSet.of(CreateFlag.CREATE),
                        CreateOpts.createParent()));
        begin(uncached.create(path(attempt, OF_UNCACHED)));
        begin(view.create(path(attempt, OF_VIEW)));
        while (!uncached.exists(path(attempt, SEEN))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    static Path path(String attempt, String client) {
        return new Path(new Path(DIRECTORY, attempt), client);
    }

    private static void begin(FSDataOutputStream out) throws IOException {
        out.writeLong(1);
        out.hflush();
    }
}
