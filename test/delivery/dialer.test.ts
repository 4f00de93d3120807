/** How many connections to endpoints stay open. */

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDialer } from "../../server/delivery/send/dialer.ts";
import { beginExchange } from "../../server/delivery/send/exchange.ts";
import { eventually } from "../support/eventually.ts";

let open = 0;
let servers: Server[];
beforeAll(async () => {
  servers = Array.from({ length: 12 }, () =>
    createServer((_request, response) => response.end("taken")).on("connection", (socket) => {
      open += 1;
      socket.once("close", () => {
        open -= 1;
      });
    }),
  );
  await Promise.all(servers.map((server) => once(server.listen(0, "127.0.0.1"), "listening")));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => once(server.close(), "close")));
});

test("connections are kept for the next exchange, up to the limit", async () => {
  const dialer = createDialer({ allowPrivateTargets: true, connectionsKept: 5 });
  const post = async (server: Server) => {
    const { port } = server.address() as AddressInfo;
    const request = { headers: [], body: Buffer.from("{}") };
    const outcome = await new Promise((resolve) =>
      beginExchange(dialer, { origin: `http://127.0.0.1:${port}`, path: "/" }, request, 60_000, resolve),
    );
    expect(outcome).toMatchObject({ status: 200, body: "taken" });
  };
  // Again and again, so that a count that drifts shows.
  for (let round = 0; round < 5; round += 1) {
    for (const server of servers) await post(server);
    await eventually(() => expect(open).toBeLessThanOrEqual(5));
  }
  expect(open).toBeGreaterThan(1);
  await dialer.destroy();
  await eventually(() => expect(open).toBe(0));
});
