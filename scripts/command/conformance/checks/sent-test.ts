/** Sends a webhook's test, awaits it, and examines it. */
import { setTimeout as wait } from "node:timers/promises";
import { notificationHeader } from "../../../../generated/notification-header.ts";
import { asObject } from "../../../document/json.ts";
import { callbackFinding, type Expected, examineDelivery } from "../delivery.ts";
import type { RecordedExchange } from "../exchange.ts";
import type { Probe } from "../probe.ts";
import type { EndpointAnswer, ReceivedDelivery, Receiver } from "../receiver.ts";

/** Where notifications are received, and by what URL the server reaches that. */
export type TestEndpoint = { receiver: Receiver; url: string };

export const by = "callback";
const accepts: EndpointAnswer = { status: 204 };
/** Where a redirect leads. */
export const elsewhere = "/elsewhere";

/** A test: what testWebhook answered, and what arrived. */
export type Test = { result: RecordedExchange; delivery: ReceivedDelivery | undefined };

export async function sendTest(
  probe: Probe,
  receiver: Receiver,
  id: string,
  answer: EndpointAnswer = accepts,
): Promise<Test> {
  receiver.answer = (path) => (path === elsewhere ? accepts : answer);
  const before = new Set(receiver.deliveries);
  const askedAt = performance.now();
  const result = await probe.send("testWebhook", { path: { id } });
  probe.status(result, "status-expected", 200);
  const { messageId } = asObject(result.json);
  const isThis = ({ headers }: ReceivedDelivery) => headers[notificationHeader.id] === messageId;
  receiver.reported.add(messageId);
  // One that was sent under another identifier than was reported is found, too, but none of an earlier test that arrives late.
  const isUnknown = (one: ReceivedDelivery) =>
    !before.has(one) && !receiver.reported.has(one.headers[notificationHeader.id]);
  const arrived = () => receiver.deliveries.find(isThis) ?? receiver.deliveries.find(isUnknown);
  const waitMs = result.status === 200 && reportsAnswer(result) ? probe.patience.forNotification() : 0;
  const until = performance.now() + waitMs;
  while (!arrived() && performance.now() < until) await wait(20);
  if (arrived()) probe.patience.notified(performance.now() - askedAt);
  return { result, delivery: arrived() };
}

/** There is something to wait for only if the server reports an answer. */
function reportsAnswer({ json }: RecordedExchange): boolean {
  const { errorClass } = asObject(json);
  return errorClass === undefined || errorClass === "bad_status" || errorClass === "timeout";
}

export async function examineTest(probe: Probe, { result, delivery }: Test, expected: Expected): Promise<void> {
  if (!delivery) {
    const came = JSON.stringify(result.json ?? null);
    return probe.add(callbackFinding("callback-reachable", by, "a notification, as at the first test", came));
  }
  const { messageId } = asObject(result.json);
  const known = typeof messageId === "string" ? { ...expected, messageId } : expected;
  for (const finding of await examineDelivery(delivery, known, by)) probe.add(finding);
}
