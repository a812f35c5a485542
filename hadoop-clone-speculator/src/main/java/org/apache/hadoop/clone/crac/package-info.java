/**
 * What {@code org.crac} finds in a task's JVM in place of a JDK's own {@code jdk.crac}: user code
 * that registers resources by the ecosystem's interface is told of clones. Names and methods are
 * those that {@code org.crac.Core} looks for by reflection; nothing of ours needs its jar.
 */
package org.apache.hadoop.clone.crac;
