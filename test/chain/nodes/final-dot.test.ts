/** A node's host may end with the dot that makes a name absolute. */
import dns from "node:dns";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:tls";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { post } from "../../../server/chain/nodes/whole-response.ts";
import { watchHeads } from "../../../server/chain/sources/heads.ts";
import { eventually } from "../../support/eventually.ts";
import { selfSigned } from "../../support/self-signed.ts";

test("SNI has a node's name without the dot, the resolver with it, for calls and for announcements", async () => {
  const asked: string[] = [];
  const SNICallback = (name: string, done: (error: null) => void) => {
    asked.push(name);
    done(null);
  };
  const sockets = new Set<Socket>();
  const server = createServer({ ...selfSigned, SNICallback })
    .on("tlsClientError", () => {})
    .on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `localhost.:${(server.address() as AddressInfo).port}`;
  const looked: string[] = [];
  vi.spyOn(dns, "lookup").mockImplementation(((name: string, _: object, done: (...found: unknown[]) => void) => {
    looked.push(name);
    done(null, [{ address: "127.0.0.1", family: 4 }]);
  }) as unknown as typeof dns.lookup);
  const ending = new AbortController();
  // Nobody trusts the certificate, but the name has been sent by then.
  const call = post(`https://${host}/`, { headers: {}, body: "[]" }, { most: 1_000, signal: ending.signal });
  await expect(call).rejects.toThrow();
  watchHeads(`wss://${host}/`, { wake: () => {}, signal: ending.signal, log: pino({ level: "silent" }) });
  await eventually(() => expect(asked).toEqual(["localhost", "localhost"]));
  expect(new Set(looked)).toEqual(new Set(["localhost."]));
  ending.abort();
  for (const socket of sockets) socket.destroy();
  await once(server.close(), "close");
});
