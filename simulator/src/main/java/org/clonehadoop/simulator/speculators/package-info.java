/** All who decide, driven from outside: no threads, and no clock but the one they are given. */
package org.clonehadoop.simulator.speculators;
