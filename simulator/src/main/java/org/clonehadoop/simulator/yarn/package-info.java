/** Who gets a container where, and when. */
package org.clonehadoop.simulator.yarn;
