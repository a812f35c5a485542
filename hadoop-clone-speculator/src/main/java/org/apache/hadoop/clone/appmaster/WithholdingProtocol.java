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

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ResourceManager as the AppMaster's allocator speaks to it. It is told, in the application's
 * blacklist, on which hosts it is to offer nothing for now, and on which it may again. Those that
 * Hadoop blacklists itself stay there. It tells how large the cluster is. Called by one thread at a
 * time.
 */
final class WithholdingProtocol implements ApplicationMasterProtocol {
    private static final Logger LOG = LoggerFactory.getLogger(WithholdingProtocol.class);

    /**
     * Times that the whole is told. After an answer that was lost the ResourceManager repeats it,
     * and doesn't read the request (ApplicationMasterService's response ids).
     */
    private static final int ENOUGH = 2;

    private final ApplicationMasterProtocol stock;
    private final Supplier<Set<String>> withheld;
    private final IntConsumer clusterNodes;
    private final Set<String> ofHadoop = new HashSet<>();

    private final Set<String> everWithheld = new HashSet<>();
    private Set<String> last = Set.of();

    /** How often it has answered since anything was to be told. */
    private int answers;

    /**
     * @param withheld the hosts as of now
     * @param clusterNodes is told how many nodes the cluster has
     */
    WithholdingProtocol(
            ApplicationMasterProtocol stock,
            Supplier<Set<String>> withheld,
            IntConsumer clusterNodes) {
        this.stock = stock;
        this.withheld = withheld;
        this.clusterNodes = clusterNodes;
    }

    @Override
    public RegisterApplicationMasterResponse registerApplicationMaster(
            RegisterApplicationMasterRequest request) throws YarnException, IOException {
        answers = 0;
        return stock.registerApplicationMaster(request);
    }

    @Override
    public FinishApplicationMasterResponse finishApplicationMaster(
            FinishApplicationMasterRequest request) throws YarnException, IOException {
        return stock.finishApplicationMaster(request);
    }

    @Override
    public AllocateResponse allocate(AllocateRequest request) throws YarnException, IOException {
        Harmless.run(() -> withhold(request));
        boolean isAnswered = false;
        try {
            AllocateResponse response = stock.allocate(request);
            isAnswered = true;
            Harmless.run(() -> clusterNodes.accept(response.getNumClusterNodes()));
            return response;
        } finally {
            answers = isAnswered ? answers + 1 : 0;
        }
    }

    private void withhold(AllocateRequest request) {
        ResourceBlacklistRequest changes = request.getResourceBlacklistRequest();
        ofHadoop.addAll(changes.getBlacklistAdditions());
        changes.getBlacklistRemovals().forEach(ofHadoop::remove);
        Set<String> now = withheld.get();
        if (!now.equals(last)) {
            LOG.info("The ResourceManager is to offer nothing on {} for now", now);
            answers = 0;
        }
        last = now;
        everWithheld.addAll(now);
        if (answers < ENOUGH || !changes.getBlacklistRemovals().isEmpty()) {
            tell(request, changes);
        }
    }

    private void tell(AllocateRequest request, ResourceBlacklistRequest changes) {
        Set<String> additions = new HashSet<>(changes.getBlacklistAdditions());
        additions.addAll(last);
        Set<String> removals = new HashSet<>(changes.getBlacklistRemovals());
        removals.addAll(everWithheld);
        removals.removeAll(ofHadoop);
        removals.removeAll(last);
        request.setResourceBlacklistRequest(
                ResourceBlacklistRequest.newInstance(
                        List.copyOf(additions), List.copyOf(removals)));
    }
}
