/**
 * What a speculator is told and orders, written down and played again. A {@link
 * org.clonehadoop.benchmarks.feed.FeedLine} changes a {@linkplain
 * org.clonehadoop.benchmarks.feed.MirrorJob mirror} of the job, or is an event or a look at it; a
 * speculator that sees nothing but the mirror decides the same whenever the same lines are played.
 */
package org.clonehadoop.benchmarks.feed;
