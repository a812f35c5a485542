/**
 * Many kinds of jobs, run as stock Hadoop does and with clones forced: which of them can be cloned,
 * why others can't, and whether their outputs are the same.
 */
package org.clonehadoop.benchmarks.coverage;
