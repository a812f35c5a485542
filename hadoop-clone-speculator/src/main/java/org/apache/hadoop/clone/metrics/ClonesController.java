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

import com.google.inject.Inject;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobACL;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.webapp.App;
import org.apache.hadoop.mapreduce.v2.app.webapp.AppController;
import org.apache.hadoop.security.UserGroupInformation;

/** Our pages in an AppMaster's web application: for those who may see its job. */
@InterfaceAudience.Private
public class ClonesController extends AppController {
    private final AppContext context;

    @Inject
    ClonesController(
            App app, AppContext context, Configuration conf, RequestContext requestContext) {
        super(app, conf, requestContext);
        this.context = context;
    }

    /** The page. */
    public void clones() {
        if (isAllowed()) {
            setTitle("Clones of " + figures().job());
            render(ClonesView.class);
        }
    }

    /** The same as JSON. */
    public void json() {
        if (isAllowed()) {
            renderJSON(figures());
        }
    }

    private CloneFigures figures() {
        return ClonePages.figures(request());
    }

    /**
     * As for Hadoop's own pages; whoever isn't known has been let in by a filter, or is anybody.
     */
    private boolean isAllowed() {
        String user = request().getRemoteUser();
        boolean allowed =
                user == null
                        || context.getAllJobs().values().stream()
                                .allMatch(
                                        job ->
                                                job.checkAccess(
                                                        UserGroupInformation.createRemoteUser(user),
                                                        JobACL.VIEW_JOB));
        if (!allowed) {
            setStatus(HttpServletResponse.SC_FORBIDDEN);
            renderText("User " + user + " does not have permission to view this job");
        }
        return allowed;
    }
}
