/** PostgreSQL is ended at once and started again while notifications are recorded and sent. */
import { expect, onTestFinished, test } from "vitest";
import { startTemporaryPostgres } from "../../../scripts/local/postgres.ts";
import { startWire } from "../../support/wire.ts";
import { keepAppending, openScene } from "./scene.ts";

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test("confirmed writes survive, everything arrives, and no process of ours restarts", async () => {
  // It writes to disk at each commit, as in production: without that a crash may lose what was confirmed.
  const postgres = await startTemporaryPostgres({ durable: true });
  const wire = await startWire(postgres.url);
  onTestFinished(async () => {
    await wire.close();
    await postgres.stop();
  });
  const scene = await openScene(10, { url: wire.url, drop: async () => undefined });
  const { receiver, startSender, allDelivered } = scene;
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 5);
  const senders = [await startSender(), await startSender()];
  const stopAppending = keepAppending(scene);
  // Once shorter than the lease, once longer.
  for (const awayMs of [200, 3_000]) {
    await receiver.waitFor(receiver.deliveries.length + 200);
    await postgres.crash(() => sleep(awayMs));
    wire.leadTo(postgres.port);
  }
  await receiver.waitFor(receiver.deliveries.length + 200);
  const confirmed = await stopAppending();
  const { recorded } = await allDelivered();
  expect([...confirmed].filter((id) => !recorded.has(id))).toEqual([]);
  expect(confirmed.size).toBeGreaterThan(500);
  for (const { logged, signal, ended } of senders) {
    expect(logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    signal("SIGTERM");
    expect(await ended).toEqual({ code: 0, signal: null });
  }
});
