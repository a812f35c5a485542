/** Simulated time, fair shares, and draws by name. Knows nothing of Hadoop but its clock. */
package org.clonehadoop.simulator.engine;
