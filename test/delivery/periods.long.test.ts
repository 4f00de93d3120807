/** A process with a longer time-out than the default also waits longer when it stops. */
import { expect, test } from "vitest";
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
