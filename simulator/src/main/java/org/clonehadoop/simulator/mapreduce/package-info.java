/** Jobs: what their tasks do, and an AppMaster that tells its speculator what Hadoop's tells. */
package org.clonehadoop.simulator.mapreduce;
