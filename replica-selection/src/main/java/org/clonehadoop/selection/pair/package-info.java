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
 * Which of two servers a request goes to, and whether the other gets a clone: NetClone (its
 * sections 3.3 and 3.4) with RackSched (3.7). The same rules as {@code request-switch}'s {@code
 * decide.h}, and held to them by a table of cases; there they steer packets, here simulated ones.
 * Pure.
 */
package org.clonehadoop.selection.pair;
