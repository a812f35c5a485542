/** What clones would have gained for a job that is over, from its JobHistory file. */
package org.clonehadoop.simulator.history;
