/**
 * What AppMaster and task say to each other about a clone. The task asks and answers, since tasks
 * have no server: an order reaches it as the answer to a long poll.
 */
package org.apache.hadoop.clone.protocol;
