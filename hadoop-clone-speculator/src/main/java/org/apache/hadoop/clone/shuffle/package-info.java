/**
 * Per-spill map outputs: every spill is published when it is finished, fetched on its own, and
 * never merged on the map's side. docs/per-spill-shuffle.md tells how it works and why it is right.
 */
package org.apache.hadoop.clone.shuffle;
