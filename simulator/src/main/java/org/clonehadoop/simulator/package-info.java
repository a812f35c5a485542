/**
 * Decides again what was decided, and in worlds that aren't there, with the decision code itself.
 */
package org.clonehadoop.simulator;
