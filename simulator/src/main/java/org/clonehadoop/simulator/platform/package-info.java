/** Hosts and what work on them costs. */
package org.clonehadoop.simulator.platform;
