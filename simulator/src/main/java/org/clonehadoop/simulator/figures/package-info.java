/** The paper's figures, simulated, each beside what the paper says of it. */
package org.clonehadoop.simulator.figures;
