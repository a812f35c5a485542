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
package org.apache.hadoop.clone.hdfs.protocol;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.DescriptorValidationException;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;
import org.apache.hadoop.thirdparty.protobuf.EmptyProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.TextFormat;
import org.apache.hadoop.thirdparty.protobuf.TextFormat.ParseException;

/** What goes over the wire. Described here, as a compiler for three messages is a lot of build. */
@InterfaceAudience.Private
public final class BlockLinkMessages {
    private static final String DESCRIPTION =
            """
            name: 'BlockLink.proto'
            package: 'hadoop.clone'
            dependency: '%s'
            dependency: '%s'
            message_type {
              name: 'Link'
              field { name: 'source' number: 1 %3$s }
              field { name: 'destination' number: 2 %3$s }
              field { name: 'sync' number: 3 label: LABEL_REQUIRED type: TYPE_BOOL }
            }
            message_type {
              name: 'Replicate'
              field { name: 'block' number: 1 %3$s }
            }
            service {
              name: 'BlockLink'
              method { name: 'link' input_type: 'Link' %4$s }
              method { name: 'replicate' input_type: 'Replicate' %4$s }
              method { name: 'probe' input_type: '.google.protobuf.Empty' %4$s }
            }
            """
                    .formatted(
                            HdfsProtos.getDescriptor().getName(),
                            EmptyProto.getDescriptor().getName(),
                            "label: LABEL_REQUIRED type: TYPE_MESSAGE type_name: '.hadoop.hdfs.LocatedBlockProto'",
                            "output_type: '.google.protobuf.Empty'");

    private static final FileDescriptor FILE = file();

    /** With the methods of {@link BlockLinkProtocol}. */
    public static final ServiceDescriptor SERVICE = FILE.findServiceByName("BlockLink");

    private BlockLinkMessages() {}

    private static FileDescriptor file() {
        try {
            return FileDescriptor.buildFrom(
                    TextFormat.parse(DESCRIPTION, FileDescriptorProto.class),
                    new FileDescriptor[] {HdfsProtos.getDescriptor(), EmptyProto.getDescriptor()});
        } catch (ParseException | DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    public static Message link(LocatedBlock source, LocatedBlock destination, boolean sync) {
        DynamicMessage.Builder message = message("Link");
        set(message, "source", PBHelperClient.convertLocatedBlock(source));
        set(message, "destination", PBHelperClient.convertLocatedBlock(destination));
        set(message, "sync", sync);
        return message.build();
    }

    public static Message replicate(LocatedBlock block) {
        DynamicMessage.Builder message = message("Replicate");
        set(message, "block", PBHelperClient.convertLocatedBlock(block));
        return message.build();
    }

    private static DynamicMessage.Builder message(String type) {
        return DynamicMessage.newBuilder(FILE.findMessageTypeByName(type));
    }

    private static void set(DynamicMessage.Builder message, String field, Object value) {
        message.setField(message.getDescriptorForType().findFieldByName(field), value);
    }

    /** A block of a request. */
    public static LocatedBlock block(Message request, String field) throws IOException {
        Message block = (Message) get(request, field);
        return PBHelperClient.convertLocatedBlockProto(
                LocatedBlockProto.parseFrom(block.toByteString()));
    }

    /** Of a request to link. */
    public static boolean sync(Message request) {
        return (boolean) get(request, "sync");
    }

    private static Object get(Message message, String field) {
        return message.getField(message.getDescriptorForType().findFieldByName(field));
    }
}
