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
package org.apache.hadoop.clone.limits;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A cap on clones at once that several jobs share.
 *
 * @param scope what they have in common: {@code cluster}, {@code queue NAME} or {@code user NAME}
 * @param clones at least 0
 */
@InterfaceAudience.Private
public record SlotLimit(String scope, int clones) {}
