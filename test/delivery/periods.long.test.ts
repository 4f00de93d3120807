/** Exchanges that take long: longer than a lease lasts, and longer than a process that stops usually waits. */
import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openScene } from "./nothing-lost/scene.ts";

test("a process that is stopped finishes an exchange of more than ten seconds, and records it", async () => {
  const { outbox, receiver, webhooks, startSender } = await openScene(1);
  const [webhook] = webhooks;
  if (!webhook) throw new Error("there is no webhook");
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 16_000);
  const sender = await startSender({ env: { DELIVERY_TIMEOUT_SECONDS: "20" } });
  await outbox.append(webhooks);
  await receiver.waitFor(1);
  sender.signal("SIGTERM");
  expect(await sender.ended).toEqual({ code: 0, signal: null });
  expect(await outbox.attempts(webhook)).toMatchObject([{ status: 204, error: null }]);
  expect(receiver.deliveries).toHaveLength(1);
});

test("an exchange may take longer than a lease lasts, and is made once", async () => {
  const { outbox, receiver, webhooks } = await openScene(1);
  const [webhook] = webhooks;
  if (!webhook) throw new Error("there is no webhook");
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 14_000);
  outbox.deliver({ leaseSeconds: 10, timeoutMs: 30_000 });
  await outbox.append([webhook]);
  await eventually(async () => expect(await outbox.attempts(webhook)).toMatchObject([{ status: 204, error: null }]));
  expect(receiver.deliveries).toHaveLength(1);
});
