/** A way to a TCP server that can be shut, as if the server was gone. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type TcpGate = {
  port: number;
  /** Cuts what is open and refuses what comes. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
};

/** @param port of a server on this machine */
export async function startTcpGate(port: number): Promise<TcpGate> {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (!isOpen) return void socket.destroy();
    const onward = connect(port, "127.0.0.1").on("error", () => undefined);
    for (const one of [socket, onward]) sockets.add(one.on("close", () => sockets.delete(one)));
    onward.on("close", () => socket.destroy());
    socket.on("close", () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    shut() {
      isOpen = false;
      cut();
    },
    open() {
      isOpen = true;
    },
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
