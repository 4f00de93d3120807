/** A notified transaction: it is explained as that, a preview shows the same, and a webhook that watches another address was not notified. */
import { asArray, asObject, isObject, type Json, type JsonObject, keysOf, same } from "../../../document/json.ts";
import type { Exchange } from "../exchange.ts";
import { idOf, itemsOf, newWebhook, type Probe, watchingActivity } from "../probe.ts";

/** @param id of a webhook that is `watchingActivity` @param listed its notifications */
export async function checkExplanations(probe: Probe, id: string, listed: readonly JsonObject[]): Promise<void> {
  const retracted = new Set(listed.filter(({ removed }) => removed === true).map(({ txHash }) => txHash));
  const [record] = listed.filter(({ txHash }) => !retracted.has(txHash));
  if (!record) return probe.note("explainWebhook, previewWebhook: every notification was retracted.");
  await checkNotified(probe, id, record);
  await checkPreview(probe, id, record);
  await checkOther(probe, record);
}

async function checkNotified(probe: Probe, id: string, { txHash, messageId }: JsonObject): Promise<void> {
  const explained = await probe.send("explainWebhook", { path: { id }, query: { txHash: String(txHash) } });
  if (!probe.status(explained, "status-expected", 200)) return;
  checkAgrees(probe, explained);
  const { notified, reason, webhookId, ...rest } = asObject(explained.json);
  const isListed = itemsOf(rest, "notifications").some((one) => one.messageId === messageId);
  const right = notified === true && reason === "notified" && webhookId === id && rest.txHash === txHash && isListed;
  const came = `notified ${notified}, reason ${reason}, ${isListed ? "with" : "without"} the notification`;
  probe.check(explained, "explanation-of-notified", right, `notified, with the notification ${messageId}`, came);
}

async function checkPreview(probe: Probe, id: string, { txHash, messageId }: JsonObject): Promise<void> {
  const detail = await probe.send("getNotification", { path: { id, messageId: String(messageId) } });
  const { event } = asObject(asObject(detail.json).payload);
  const body = { ...newWebhook(probe.target, watchingActivity(probe.target)), txHash: txHash ?? null };
  const previewed = await probe.send("previewWebhook", { body });
  if (!probe.status(previewed, "status-expected", 200)) return;
  const preview = asObject(previewed.json);
  if (preview.blockHash !== asObject(detail.json).blockHash)
    return probe.note("preview-as-notified: the transaction is in another block than when it was notified.");
  const [transaction] = asArray(preview.transactions).map(asObject);
  const expected = `matches, with the event of the notification ${messageId}`;
  if (!probe.check(previewed, "preview-as-notified", transaction?.matches === true, expected)) return;
  const previewedEvent = asObject(asObject(transaction?.payload).event);
  const differing = differences(withoutTokenTexts(asObject(event)), withoutTokenTexts(previewedEvent), "event");
  const came = `another ${differing.join(", ")}`;
  probe.check(previewed, "preview-as-notified", differing.length === 0, expected, came);
}

/** The places in which two objects differ. */
function differences(one: JsonObject, other: JsonObject, place: string): string[] {
  const names = keysOf(one, other).filter((name) => !same(one[name], other[name]));
  return names.flatMap((name) => {
    const [before, after] = [one[name], other[name]];
    const inner = `${place}.${name}`;
    return isObject(before) && isObject(after) ? differences(before, after, inner) : [inner];
  });
}

/** What a token says of itself may have been asked for between the two, and neither may wait for it. */
function withoutTokenTexts<T extends Json>(value: T): T {
  const text = JSON.stringify(value, (name, inner) =>
    /^erc\d+Token$/.test(name) ? { address: asObject(inner).address } : inner,
  );
  return JSON.parse(text) as T;
}

async function checkOther(probe: Probe, { txHash }: JsonObject): Promise<void> {
  const record = await probe.create();
  if (!record) return;
  const path = { id: idOf(record) };
  const explained = await probe.send("explainWebhook", { path, query: { txHash: String(txHash) } });
  if (probe.status(explained, "status-expected", 200)) {
    checkAgrees(probe, explained);
    const { notified, reason } = asObject(explained.json);
    const right = notified === false && reason === "not_watched";
    const came = `notified ${notified}, reason ${reason}`;
    probe.check(explained, "explanation-of-others", right, "notified false, reason not_watched", came);
  }
  await probe.succeed("deleteWebhook", { path });
  const body = { ...newWebhook(probe.target), txHash: txHash ?? null };
  const previewed = await probe.send("previewWebhook", { body });
  if (!probe.status(previewed, "status-expected", 200)) return;
  const { matchCount, transactions } = asObject(previewed.json);
  const [{ matches, reason, payload } = {}] = asArray(transactions).map(asObject);
  const right = matchCount === 0 && matches === false && reason === "not_watched" && payload === undefined;
  probe.check(previewed, "preview-of-others", right, "matchCount 0, matches false, reason not_watched, no payload");
}

/** Of a webhook without conditions, `createdBy` and `finality`. */
function checkAgrees(probe: Probe, explained: Exchange): void {
  const { notified, reason, parts, ...rest } = asObject(explained.json);
  const expected = `notified ${reason === "notified"}, since the reason is ${reason}`;
  probe.check(explained, "explanation-agrees", notified === (reason === "notified"), expected);
  const said = ["decidedBy", "decidedOn", "missingBlocks"].filter((name) => rest[name] !== undefined);
  if (asArray(parts).some((part) => asObject(part).namedBy !== undefined)) said.push("namedBy");
  const none = "no conditions, createdBy or finality explained, since the webhook has none";
  probe.check(explained, "explanation-agrees", said.length === 0, none, said.join(", "));
}
