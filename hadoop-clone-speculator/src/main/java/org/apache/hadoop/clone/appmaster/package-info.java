/**
 * The AppMaster that can clone: stock's, with hooks where attempts are placed and launched, and
 * with a second RPC service for tasks. docs/clone-lifecycle.md has the states of a clone.
 */
package org.apache.hadoop.clone.appmaster;
