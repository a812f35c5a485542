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
 * {@code clone-hadoop check}: which nodes of a cluster can clone, and to which others. {@link
 * org.clonehadoop.check.NodeProbe} asks them, {@link org.clonehadoop.check.NodeRules} and {@link
 * org.clonehadoop.check.PairRules} judge (pure), {@link org.clonehadoop.check.HostClasses} groups,
 * {@link org.clonehadoop.check.CheckReport} tells.
 */
package org.clonehadoop.check;
