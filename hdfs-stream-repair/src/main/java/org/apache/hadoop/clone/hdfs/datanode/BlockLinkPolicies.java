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
package org.apache.hadoop.clone.hdfs.datanode;

import org.apache.hadoop.clone.hdfs.protocol.BlockLinkProtocol;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.util.Lists;

/** HDFS's services with ours, for clusters with service authorization. */
final class BlockLinkPolicies extends PolicyProvider {
    /** In hadoop-policy.xml; without it, whoever may call any service. */
    static final String ACL = "security.block.link.protocol.acl";

    @Override
    public Service[] getServices() {
        var services = Lists.newArrayList(new HDFSPolicyProvider().getServices());
        services.add(new Service(ACL, BlockLinkProtocol.class));
        return services.toArray(new Service[0]);
    }
}
