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
package org.apache.hadoop.ipc;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.ObjectWritable;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.security.SaslRpcClient;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ProtoUtil;

/**
 * An authenticated connection that costs its client no threads, of which {@link Client} takes three
 * for each call that waits: 10 000 of them would measure this machine, not the server.
 */
public final class ThreadlessConnection implements Closeable {
    private static final byte SASL = -33; // Server.AuthProtocol.SASL, private to Client
    private static final int SERVICE_CLASS = 0;
    private static final int NO_LIMIT = 0;
    private static final long WRITABLE_RPC_VERSION = 2;

    private final byte[] clientId = ClientId.getClientId();
    private final Configuration conf;
    private final Class<?> protocol;
    private final Socket socket;
    private final Client.IpcStreams streams;
    private int calls;

    /** Connects, and proves who {@code user} is by a token of his. */
    public ThreadlessConnection(
            InetSocketAddress server,
            Class<?> protocol,
            UserGroupInformation user,
            Configuration conf)
            throws IOException {
        this.conf = conf;
        this.protocol = protocol;
        socket = new Socket(server.getAddress(), server.getPort());
        streams = new Client.IpcStreams(socket, NO_LIMIT);
        streams.out.write(RpcConstants.HEADER.array());
        streams.out.write(RpcConstants.CURRENT_VERSION);
        streams.out.write(SERVICE_CLASS);
        streams.out.write(SASL);
        SaslRpcClient sasl = new SaslRpcClient(user, protocol, server, conf);
        var method = sasl.saslConnect(streams);
        ResponseBuffer context = new ResponseBuffer();
        ProtoUtil.makeRpcRequestHeader(
                        RPC.RpcKind.RPC_PROTOCOL_BUFFER,
                        OperationProto.RPC_FINAL_PACKET,
                        RpcConstants.CONNECTION_CONTEXT_CALL_ID,
                        RpcConstants.INVALID_RETRY_COUNT,
                        clientId)
                .writeDelimitedTo(context);
        ProtoUtil.makeIpcConnectionContext(RPC.getProtocolName(protocol), user, method)
                .writeDelimitedTo(context);
        streams.sendRequest(context.toByteArray());
    }

    /** One of a protocol's methods, which it must have. */
    public static Method method(Class<?> protocol, String name, Class<?>... parameters) {
        try {
            return protocol.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a call and leaves it there. */
    public void call(Method method, Object... parameters) throws IOException {
        ResponseBuffer request = new ResponseBuffer();
        ProtoUtil.makeRpcRequestHeader(
                        RPC.RpcKind.RPC_WRITABLE,
                        OperationProto.RPC_FINAL_PACKET,
                        calls++,
                        0,
                        clientId)
                .writeDelimitedTo(request);
        writeInvocation(request, method, parameters);
        streams.sendRequest(request.toByteArray());
        streams.flush();
    }

    /** As WritableRpcEngine.Invocation, which is private. */
    private void writeInvocation(ResponseBuffer out, Method method, Object... parameters)
            throws IOException {
        out.writeLong(WRITABLE_RPC_VERSION);
        out.writeUTF(RPC.getProtocolName(protocol));
        out.writeUTF(method.getName());
        out.writeLong(RPC.getProtocolVersion(protocol));
        out.writeInt(ProtocolSignature.getFingerprint(protocol.getMethods()));
        out.writeInt(parameters.length);
        for (int i = 0; i < parameters.length; i++) {
            ObjectWritable.writeObject(
                    out, parameters[i], method.getParameterTypes()[i], conf, true);
        }
    }

    /** Whether an answer has begun to come. */
    public boolean hasAnswer() throws IOException {
        return socket.getInputStream().available() > 0;
    }

    /**
     * The answer to the oldest call without one; waits for it.
     *
     * @throws IOException if it is an error; with its name and what it says
     */
    public Object answer() throws IOException {
        RpcWritable.Buffer packet = RpcWritable.Buffer.wrap(streams.readResponse());
        RpcResponseHeaderProto header =
                packet.getValue(RpcResponseHeaderProto.getDefaultInstance());
        if (header.getStatus() != RpcStatusProto.SUCCESS) {
            throw new RemoteException(header.getExceptionClassName(), header.getErrorMsg());
        }
        return packet.newInstance(ObjectWritable.class, conf).get();
    }

    @Override
    public void close() throws IOException {
        streams.close();
        socket.close();
    }
}
