/**
 * Where a second attempt is to run: values, sums and rules, no Hadoop, no input or output, no
 * clock.
 */
package org.apache.hadoop.clone.placement;
