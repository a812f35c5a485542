/** What it costs an AppMaster that very many tasks wait for its answers. */
package org.clonehadoop.benchmarks.polls;
