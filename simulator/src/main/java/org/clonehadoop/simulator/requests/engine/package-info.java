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
 * Time for simulations of millions of requests, in nanoseconds; events are numbers in arrays. The
 * jobs' Timeline would be quick enough (10 million events a second beside 22, empty ones, two
 * thousand planned at a time), but it counts milliseconds, and makes an object for each.
 */
package org.clonehadoop.simulator.requests.engine;
