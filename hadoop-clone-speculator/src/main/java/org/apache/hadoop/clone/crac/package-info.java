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
 * What {@code org.crac} finds in a task's JVM in place of a JDK's own {@code jdk.crac}: user code
 * that registers resources by the ecosystem's interface is told of clones. Names and methods are
 * those that {@code org.crac.Core} looks for by reflection; nothing of ours needs its jar.
 */
package org.apache.hadoop.clone.crac;
