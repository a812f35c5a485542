/**
 * In the task's JVM: takes the AppMaster's orders, makes the process ready to be cloned, and makes
 * the clone another attempt. docs/task-side.md tells the whole story.
 */
package org.apache.hadoop.clone.task;
