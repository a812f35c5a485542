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
package org.apache.hadoop.clone.shuffle;

import java.io.IOException;
import java.security.PrivilegedAction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A daemon thread that acts for the user for whom it was made: from Java 22 on a new thread doesn't
 * inherit that. Hadoop 3.5 has such a class of its own (HADOOP-19668), Hadoop 3.4 none.
 */
@InterfaceAudience.Private
public class UserThread extends Thread {
    private final UserGroupInformation user = currentUser();
    private final Runnable work;

    /**
     * @throws IllegalStateException if the current thread acts for nobody
     */
    public UserThread(String name, Runnable work) {
        super(name);
        this.work = work;
        setDaemon(true);
    }

    private static UserGroupInformation currentUser() {
        try {
            return UserGroupInformation.getCurrentUser();
        } catch (IOException e) {
            throw new IllegalStateException("nobody runs this task", e);
        }
    }

    @Override
    public void run() {
        user.doAs(
                (PrivilegedAction<Void>)
                        () -> {
                            work.run();
                            return null;
                        });
    }
}
