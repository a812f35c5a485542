/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
/**
 * Safe duplication of any kind of work: the D-Stage of <i>Reducing Tail Latency using
 * Duplication</i> (sections 2 and 3). A {@link org.apache.hadoop.clone.stage.Job} is work that may
 * be done in several places; its {@link org.apache.hadoop.clone.stage.Policy} says which {@link
 * org.apache.hadoop.clone.stage.Copy copies} of it there are, and when one of them purges the
 * others; a {@link org.apache.hadoop.clone.stage.Stage} queues copies, and lets duplicates run only
 * where no primary wants to.
 *
 * <p>Nothing here has a thread or a clock of its own.
 */
package org.apache.hadoop.clone.stage;
