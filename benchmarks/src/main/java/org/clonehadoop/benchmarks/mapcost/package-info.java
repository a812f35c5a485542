/** What CloneHadoop costs a map that it does nothing for. */
package org.clonehadoop.benchmarks.mapcost;
