/** Makes tasks of a job straggle, on purpose and repeatably. For benchmarks and the demo only. */
package org.clonehadoop.benchmarks.straggler;
