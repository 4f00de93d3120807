/** One notification as getNotification returns it: it agrees with itself, and with its record in the list. */
import { asArray, asObject, type Json, type JsonObject, sameJson } from "../../../document/json.ts";
import type { RecordedExchange } from "../exchange.ts";
import type { Probe } from "../probe.ts";

/** Which notification. */
export type NotificationPath = { id: string; messageId: string };
/** A notification that was read, and its payload. */
export type Detail = { exchange: RecordedExchange; payload: JsonObject };

/** What no attempt changes. */
const lasting = ["sequence", "blockNumber", "blockHash", "txHash", "removed", "recordedAt"];

/**
 * Reads a notification and examines it.
 *
 * @param listed its record in the list
 * @returns undefined where it could not be read
 */
export async function checkDetail(
  probe: Probe,
  path: NotificationPath,
  listed: JsonObject,
): Promise<Detail | undefined> {
  let exchange = await probe.send("getNotification", { path });
  if (!probe.status(exchange, "status-expected", 200)) return undefined;
  // An attempt may end while the answer is put together.
  if (!countsAgree(asObject(exchange.json))) exchange = await probe.send("getNotification", { path });
  const detail = asObject(exchange.json);
  const payload = asObject(detail.payload);
  const { transaction } = asObject(payload.event);
  const right =
    detail.messageId === path.messageId &&
    payload.messageId === path.messageId &&
    payload.webhookId === path.id &&
    asObject(transaction).txHash === detail.txHash &&
    asObject(transaction).blockHash === detail.blockHash &&
    countsAgree(detail);
  probe.check(exchange, "notification-detail", right, "a payload and attempts that are those of the notification");
  for (const name of lasting) {
    const said = (value: Json | undefined) => `${name}: ${JSON.stringify(value)}`;
    const agrees = sameJson(detail[name], listed[name]);
    probe.check(exchange, "notification-detail", agrees, `${said(listed[name])}, as in the list`, said(detail[name]));
  }
  return { exchange, payload };
}

/** Whether the attempts are numbered from 1, are as many as is said, and end with the one said to be the last. */
function countsAgree({ attempts, attemptCount, lastAttempt }: JsonObject): boolean {
  const all = asArray(attempts).map(asObject);
  const numbered = all.every(({ number }, index) => number === index + 1);
  return numbered && all.length === attemptCount && sameJson(all.at(-1), lastAttempt);
}
