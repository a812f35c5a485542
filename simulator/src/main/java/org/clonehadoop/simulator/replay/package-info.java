/** What was decided in real jobs, decided again. */
package org.clonehadoop.simulator.replay;
