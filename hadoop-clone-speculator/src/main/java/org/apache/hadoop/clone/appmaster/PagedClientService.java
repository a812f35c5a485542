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
package org.apache.hadoop.clone.appmaster;

import java.util.function.Supplier;
import org.apache.hadoop.clone.metrics.CloneFigures;
import org.apache.hadoop.clone.metrics.ClonePages;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.MRClientService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stock's service for clients and browsers, with our pages. */
final class PagedClientService extends MRClientService {
    private static final Logger LOG = LoggerFactory.getLogger(PagedClientService.class);

    private final Supplier<CloneFigures> figures;

    PagedClientService(AppContext context, Supplier<CloneFigures> figures) {
        super(context);
        this.figures = figures;
    }

    /** Stock goes on where its pages can't be made, too. */
    @Override
    protected void serviceStart() throws Exception {
        super.serviceStart();
        try {
            ClonePages.add(getWebApp(), figures);
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("There is no page of clones: {}", e.toString());
        }
    }
}
