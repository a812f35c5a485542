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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
 * The ResourceManager as the AppMaster's allocator speaks to it. With each exchange it is told, in
 * the application's blacklist, on which hosts it is to offer nothing for now. Those that Hadoop
 * blacklists itself stay there. Called by one thread at a time.
 */
final class WithholdingProtocol implements ApplicationMasterProtocol {
    private static final Logger LOG = LoggerFactory.getLogger(WithholdingProtocol.class);

    private record Blacklist(Set<String> ofHadoop, Set<String> withheld) {
        static final Blacklist EMPTY = new Blacklist(Set.of(), Set.of());

        Set<String> all() {
            Set<String> all = new HashSet<>(ofHadoop);
            all.addAll(withheld);
            return all;
        }

        ResourceBlacklistRequest since(Blacklist before) {
            return ResourceBlacklistRequest.newInstance(
                    without(all(), before.all()), without(before.all(), all()));
        }

        private static List<String> without(Set<String> some, Set<String> others) {
            List<String> rest = new ArrayList<>(some);
            rest.removeAll(others);
            return rest;
        }
    }

    private final ApplicationMasterProtocol stock;
    private final Supplier<Set<String>> withheld;

    /** As the ResourceManager knows it. */
    private Blacklist told = Blacklist.EMPTY;

    /**
     * @param withheld the hosts as of now
     */
    WithholdingProtocol(ApplicationMasterProtocol stock, Supplier<Set<String>> withheld) {
        this.stock = stock;
        this.withheld = withheld;
    }

    /** A ResourceManager that was started anew has no blacklist; Hadoop repeats its own then. */
    @Override
    public RegisterApplicationMasterResponse registerApplicationMaster(
            RegisterApplicationMasterRequest request) throws YarnException, IOException {
        told = Blacklist.EMPTY;
        return stock.registerApplicationMaster(request);
    }

    @Override
    public FinishApplicationMasterResponse finishApplicationMaster(
            FinishApplicationMasterRequest request) throws YarnException, IOException {
        return stock.finishApplicationMaster(request);
    }

    @Override
    public AllocateResponse allocate(AllocateRequest request) throws YarnException, IOException {
        Optional<Blacklist> now =
                Harmless.or(
                        Optional.empty(),
                        () -> Optional.of(blacklist(request.getResourceBlacklistRequest())));
        now.ifPresent(blacklist -> request.setResourceBlacklistRequest(blacklist.since(told)));
        AllocateResponse response = stock.allocate(request);
        now.ifPresent(this::isTold);
        return response;
    }

    private Blacklist blacklist(ResourceBlacklistRequest changes) {
        Set<String> ofHadoop = new HashSet<>(told.ofHadoop);
        ofHadoop.addAll(changes.getBlacklistAdditions());
        changes.getBlacklistRemovals().forEach(ofHadoop::remove);
        return new Blacklist(ofHadoop, withheld.get());
    }

    private void isTold(Blacklist now) {
        if (!now.withheld.equals(told.withheld)) {
            LOG.info("The ResourceManager is to offer nothing on {} for now", now.withheld);
        }
        told = now;
    }
}
