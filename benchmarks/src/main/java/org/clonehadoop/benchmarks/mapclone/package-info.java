/** What a clone costs a map. */
package org.clonehadoop.benchmarks.mapclone;
