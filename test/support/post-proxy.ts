/** Stands between the service and an endpoint, and treats its POSTs badly: repeats, delays, reorders and drops them, as a test says. */

import { once, setMaxListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What happens to one POST. */
export type Treatment = {
  /** One for each copy that is forwarded: in how many milliseconds. */
  copies: readonly number[];
  /** What the service gets. `first`: the first copy's answer. `accepted`: a 204 before anything is forwarded. `cut`: the connection is cut. */
  answer: "first" | "accepted" | "cut";
};

export type PostProxy = {
  url: string;
  /** The answers that came back from the endpoint, and 0 where none did. */
  statuses: number[];
  close(): Promise<void>;
};

/**
 * @param target where the next copy goes
 * @param treat what happens to a POST
 */
export async function startPostProxy(target: () => string, treat: () => Treatment): Promise<PostProxy> {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const server = createServer(async (request, response) => {
    response.on("error", () => {});
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const names = Object.entries(request.headers).filter(([name]) => /^(webhook-|content-type$)/.test(name));
    const forward = async (afterMs: number) => {
      try {
        await sleep(afterMs, undefined, { signal: closing.signal });
        const headers = Object.fromEntries(names) as Record<string, string>;
        const { status } = await fetch(target(), { method: "POST", headers, body: Buffer.concat(chunks) });
        proxy.statuses.push(status);
        return status;
      } catch {
        proxy.statuses.push(0);
        return 502;
      }
    };
    const { copies, answer } = treat();
    if (answer === "accepted") response.writeHead(204).end();
    if (answer === "cut") response.destroy();
    const [first = Promise.resolve(204)] = copies.map(forward);
    const status = await first;
    if (answer === "first") response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: PostProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    statuses: [],
    async close() {
      closing.abort();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return proxy;
}
