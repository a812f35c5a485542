/**
 * Safe duplication of any kind of work: the D-Stage of <i>Reducing Tail Latency using
 * Duplication</i> (sections 2 and 3). A {@link org.apache.hadoop.clone.stage.Job} is work that may
 * be done in several places; its {@link org.apache.hadoop.clone.stage.Policy} says which {@link
 * org.apache.hadoop.clone.stage.Copy copies} of it there are, and when one of them purges the
 * others; a {@link org.apache.hadoop.clone.stage.Stage} queues copies, and lets duplicates run only
 * where no primary wants to.
 *
 * <p>Nothing here has a thread or a clock of its own.
 */
package org.apache.hadoop.clone.stage;
