/** What today's rules are worth in a catalogue of troubles, beside what they were worth before. */
package org.clonehadoop.simulator.regress;
