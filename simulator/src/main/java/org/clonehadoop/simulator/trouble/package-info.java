/** What makes tasks straggle. All by name and seed: the same trouble for whoever decides. */
package org.clonehadoop.simulator.trouble;
