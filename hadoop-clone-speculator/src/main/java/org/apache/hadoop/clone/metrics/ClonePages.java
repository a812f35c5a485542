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

import java.util.function.Supplier;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.yarn.webapp.WebApp;

/**
 * Puts our pages into an AppMaster's web application: {@code /mapreduce/clones} and {@code
 * /mapreduce/clones/json}. They are more routes of Hadoop's own router, behind the same filters as
 * its pages, be that the proxy's or an authentication.
 */
@InterfaceAudience.Private
public final class ClonePages {
    private static final String FIGURES = ClonePages.class.getName();

    private ClonePages() {}

    /**
     * Once the web application has started.
     *
     * @param figures is asked for each page; must return at once
     */
    public static void add(WebApp webApp, Supplier<CloneFigures> figures) {
        webApp.getHttpServer().setAttribute(FIGURES, figures);
        webApp.routeWithoutDefaultView("/clones", ClonesController.class, "clones");
        webApp.routeWithoutDefaultView("/clones/json", ClonesController.class, "json");
    }

    @SuppressWarnings("unchecked") // nobody else sets it
    static CloneFigures figures(HttpServletRequest request) {
        return ((Supplier<CloneFigures>) request.getServletContext().getAttribute(FIGURES)).get();
    }
}
