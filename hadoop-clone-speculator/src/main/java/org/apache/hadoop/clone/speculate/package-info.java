/**
 * The speculator: an AppMaster's events and its tasks' estimates in, NONE, NEW or CLONE out.
 * docs/speculation.md explains it.
 */
package org.apache.hadoop.clone.speculate;
