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
 * Jobs of the kinds that HiBench has, for those that have no HiBench at hand: programs of several
 * jobs in a row. They count in whole numbers, so that an output is the same, byte by byte, in
 * whatever order a reduce gets its values.
 */
package org.clonehadoop.benchmarks.workloads;
