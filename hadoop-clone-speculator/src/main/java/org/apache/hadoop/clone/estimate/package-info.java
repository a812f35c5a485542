/**
 * How long attempts take: what is usual for their kind, how long one that runs still needs, and how
 * far that can be trusted. Values and sums; no input or output, and no clock but what is passed.
 */
package org.apache.hadoop.clone.estimate;
