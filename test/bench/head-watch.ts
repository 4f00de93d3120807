/**
 * Between the service and its node, to see when the service asks for heads. It passes bytes on as they come: a proxy that parses each call and
 * makes it again would take a part of the time that is measured.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type HeadWatch = {
  /** To be called instead of the node. */
  url: string;
  /** When the request began whose answer was the newest head first, by `performance.now()`. */
  askedAt(): number;
  close(): void;
};

/** @param nodeUrl the node's HTTP address */
export async function watchHeadRequests(nodeUrl: string): Promise<HeadWatch> {
  const { hostname, port } = new URL(nodeUrl);
  const sockets = new Set<Socket>();
  let newest = 0;
  let askedAt = 0;
  const server = createServer((client) => {
    const node = connect(Number(port), hostname);
    let asked: { at: number; answer: string } | undefined;
    client.on("data", (chunk) => {
      asked = chunk.includes('"latest"') ? { at: performance.now(), answer: "" } : undefined;
      node.write(chunk);
    });
    node.on("data", (chunk) => {
      client.write(chunk);
      if (!asked) return;
      asked.answer += chunk.toString("latin1");
      const number = Number(/"number":"(0x[0-9a-f]+)"/.exec(asked.answer)?.[1] ?? 0);
      // A head that is asked for while the block is made may be the one before.
      if (number > newest) [newest, askedAt] = [number, asked.at];
    });
    for (const [one, other] of [
      [client, node],
      [node, client],
    ] as const) {
      sockets.add(one.setNoDelay(true));
      one.on("error", () => one.destroy()).on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    askedAt: () => askedAt,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
