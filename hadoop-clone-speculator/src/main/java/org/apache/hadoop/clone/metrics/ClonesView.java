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
package org.apache.hadoop.clone.metrics;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.mapreduce.v2.app.webapp.AppView;
import org.apache.hadoop.yarn.webapp.SubView;

/** The page of clones, with the frame of Hadoop's own. */
@InterfaceAudience.Private
public class ClonesView extends AppView {
    @Override
    protected void preHead(Page.HTML<__> html) {
        commonPreHead(html);
    }

    @Override
    protected Class<? extends SubView> content() {
        return ClonesBlock.class;
    }
}
