/** The database can be reached and does not answer: nobody waits without end, and all goes on by itself when it answers again. */

import { expect, test } from "vitest";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { eventually } from "../../support/eventually.ts";
import { startWire } from "../../support/wire.ts";
import { openScene } from "./scene.ts";

test("the API answers 503 in bounded time, nothing is sent without a lease, and everything is sent once it answers", async () => {
  const { outbox, receiver, webhooks, startSender, allDelivered } = await openScene(10);
  const { key } = await createKey(outbox.pool, { account: "silent", scopes: ["read", "write"] });
  const wire = await startWire(outbox.databaseUrl);
  const service = await startSender({ databaseUrl: wire.url, env: { ROLES: "api,deliver" } });
  const url = await service.started;
  const ask = async () => {
    const askedAt = performance.now();
    const response = await fetch(`${url}/v1/webhooks`, { headers: { "x-service-api-key": key } });
    return { status: response.status, seconds: (performance.now() - askedAt) / 1000, at: askedAt };
  };
  expect((await ask()).status).toBe(200);
  await outbox.append(webhooks, 2);
  await allDelivered();

  wire.silence();
  await outbox.append(webhooks, 2);
  const asked = await Promise.all(Array.from({ length: 30 }, ask));
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([503]));
  expect(Math.max(...asked.map(({ seconds }) => seconds))).toBeLessThan(20);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const arrived = receiver.deliveries.length;
  // The leases have ended long ago.
  expect(arrived).toBeLessThanOrEqual(webhooks.length * 4);

  wire.mend();
  await eventually(async () => expect((await ask()).status).toBe(200));
  const ledger = await allDelivered();
  expect(ledger.recorded.size).toBe(webhooks.length * 4);
  expect(service.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
