/** What a client and the DataNodes' plugin say to each other. */
package org.apache.hadoop.clone.hdfs.protocol;
