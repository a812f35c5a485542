/** The configuration's keys; docs/configuration.md is their reference. */
package org.apache.hadoop.clone.conf;
