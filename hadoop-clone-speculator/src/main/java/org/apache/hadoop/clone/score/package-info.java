/**
 * CloneScore (the paper's Algorithm 1) and what it is computed from: values and pure functions, no
 * Hadoop, no input or output, no clock.
 */
package org.apache.hadoop.clone.score;
