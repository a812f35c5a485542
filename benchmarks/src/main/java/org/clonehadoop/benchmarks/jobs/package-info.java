/** What became of a job: read from the JobHistory server, as JSON, as a picture. */
package org.clonehadoop.benchmarks.jobs;
