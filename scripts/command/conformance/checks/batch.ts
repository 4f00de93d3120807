/** Batches: what a webhook with them is sent as a test. */
import { asObject } from "../../../document/json.ts";
import { callbackFinding } from "../delivery.ts";
import { parseJson } from "../exchange.ts";
import { idOf, newWebhook, type Probe } from "../probe.ts";
import type { Receiver } from "../receiver.ts";
import { sendTest } from "./send-test.ts";

/** The test of a webhook with batches is an array of one. What each notification is, the other tests have shown. */
export async function checkBatch(probe: Probe, receiver: Receiver, url: string): Promise<void> {
  const wanted = newWebhook(probe.target, { url });
  const metadata = { ...asObject(wanted.metadata), batch: { maxItems: 2 } };
  const created = await probe.send("createWebhook", { body: { ...wanted, metadata } });
  if (!probe.status(created, "status-expected", 201)) return;
  const id = idOf(asObject(created.json));
  const { delivery } = await sendTest(probe, receiver, id);
  const body = delivery && parseJson(delivery.body);
  if (delivery && !(Array.isArray(body) && body.length === 1))
    probe.add(
      callbackFinding("callback-batch", "callback", "an array of one notification", delivery.body.toString("utf8")),
    );
  await probe.succeed("deleteWebhook", { path: { id } });
}
