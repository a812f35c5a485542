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
 * NetClone's simulated servers (netclone.txt, section 5): requests of microseconds, first come
 * first served by some workers a server, and its schemes of cloning. What a switch decides is
 * decided by replica-selection's {@code pair} rules, which are held to those of request-switch.
 */
package org.clonehadoop.simulator.requests.rpc;
