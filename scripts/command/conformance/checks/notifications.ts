/**
 * Recorded notifications: their list, each one with its attempts, what arrived of it, and a resend. Then webhooks with other options, some of
 * which let nothing through, and one of which gets batches, on the same blocks.
 */
import { setTimeout as wait } from "node:timers/promises";
import { notificationHeader } from "../../../../generated/notification-header.ts";
import { asArray, asObject, type JsonObject, sameJson } from "../../../document/json.ts";
import { differencesFromChain } from "../chain-node.ts";
import { callbackFinding, examineDelivery } from "../delivery.ts";
import { jsonOrUndefined } from "../exchange.ts";
import { idOf, itemsOf, newWebhook, type Probe, quietAddress, watchingActivity } from "../probe.ts";
import type { ReceivedDelivery } from "../receiver.ts";
import { allSettledOf } from "../together.ts";
import { checkExplanations } from "./explanations.ts";
import { checkDetail, type Detail, type NotificationPath } from "./notification-detail.ts";
import { checkCounts, checkFeed, checkFilters } from "./notification-lists.ts";
import { checkDefaultSize, checkPages, walk } from "./pages.ts";
import { finished } from "./replay.ts";
import type { TestEndpoint } from "./sent-test.ts";

/** What there is besides the server: an endpoint that it reaches, and a node of the chain; undefined where there is none. */
export type CheckSurroundings = { endpoint: TestEndpoint | undefined; nodeUrl: string | undefined };

const activity = "activity";
const mostExamined = 20;
const graceMs = 3_000;
// Beyond it, a list without a pageSize can be distinguished from a whole one.
const defaultOfList = 50;

/** Looks at the notifications that a webhook with `includeLogs` and `includeTransfers` has. @param replayId the replay that made them */
export async function checkNotifications(
  probe: Probe,
  { id, replayId }: { id: string; replayId: string },
  surroundings: CheckSurroundings,
): Promise<void> {
  const pageSize = 2;
  const walked = await walk(probe, "listNotifications", { path: { id }, pageSize });
  const items = (body: JsonObject) => itemsOf(body, "notifications").map(({ messageId }) => String(messageId));
  const [messageId] = checkPages(probe, walked, { items, pageSize, wanted: [] });
  if (messageId === undefined) {
    if (walked.ended) await checkCounts(probe, { id, replayId }, []);
    const how = probe.target.activeAddress ? "took no part in the newest blocks" : "was not given";
    return probe.note(`getNotification 200, resendNotification 202: --address ${how}, so nothing was notified.`);
  }
  const last = walked.pages.at(-1);
  const listed = walked.pages.flatMap((page) => itemsOf(asObject(page.json), "notifications"));
  const ordered = listed.every(({ sequence }, index) => sequence === index + 1);
  const came = listed.map(({ sequence }) => sequence).join(", ");
  if (last) probe.check(last, "notifications-in-order", ordered, "sequences 1, 2, 3, …", came);
  if (listed.length > defaultOfList)
    await checkDefaultSize(probe, "listNotifications", { path: { id }, items: "notifications" });

  if (walked.ended) await checkCounts(probe, { id, replayId }, listed);

  const secret = await probe.succeed("getWebhookSecret", { path: { id } });
  const examined = listed.slice(0, mostExamined);
  await allSettledOf(
    examined.map((record) => async () => {
      const payload = await checkDetail(probe, { id, messageId: String(record.messageId) }, record);
      if (payload) await checkPayload(probe, payload, surroundings);
      if (payload && secret) await checkArrival(probe, record, { id, secret: String(secret.secret) }, surroundings);
    }),
  );
  if (surroundings.nodeUrl === undefined)
    probe.note("payload-as-on-chain: no --rpc-url, so notifications were not compared with the chain.");
  await checkFilters(probe, id, listed);
  await checkFeed(probe, id, listed);
  await checkExplanations(probe, id, listed);
  await checkApplied(probe, listed, surroundings);
  await checkResend(probe, { id, messageId }, surroundings);
  const [first] = listed;
  if (first) await checkDetail(probe, { id, messageId }, first);
  await checkAttempts(probe, id, surroundings);
}

/** What the list says of attempts, and that as many arrive as there are. One may be lost from the record where a process was killed. */
async function checkAttempts(probe: Probe, id: string, { endpoint }: CheckSurroundings): Promise<void> {
  const query = { status: "delivered", pageSize: mostExamined };
  const list = await probe.send("listNotifications", { path: { id }, query });
  if (!probe.status(list, "status-expected", 200)) return;
  const delivered = itemsOf(asObject(list.json), "notifications");
  for (const { sequence, attemptCount, lastAttempt } of delivered) {
    const { number, responseStatus } = asObject(lastAttempt);
    const agrees = Number(attemptCount) >= 1 && number === attemptCount && Number(responseStatus) >= 200;
    const came = `attemptCount ${attemptCount}, lastAttempt ${JSON.stringify(lastAttempt)}`;
    const expected = `attempts of notification ${sequence}, which is delivered, and the last of them`;
    probe.check(list, "notification-detail", agrees, expected, came);
  }
  const arrivals = endpoint
    ? delivered.map((one) => deliveriesOf(endpoint, String(one.messageId)).length - Number(one.attemptCount))
    : [];
  if (arrivals.length > 1 && arrivals.every((more) => more > 0))
    probe.check(list, "notification-detail", false, "every attempt", "each notification has arrived more often");
}

/** Holds a payload against the chain. */
async function checkPayload(
  probe: Probe,
  { exchange, payload }: Detail,
  { nodeUrl }: CheckSurroundings,
): Promise<void> {
  const { transaction, logs, removed } = asObject(payload.event);
  if (nodeUrl === undefined || removed === true) return;
  const compared = await differencesFromChain(nodeUrl, asObject(transaction), asArray(logs).map(asObject));
  if (typeof compared === "string") return probe.note(`payload-as-on-chain: ${compared}`);
  for (const { rule, expected, came } of compared) probe.check(exchange, rule, false, expected, came);
}

/** A notification that is delivered has arrived, and is as it is listed. */
async function checkArrival(
  probe: Probe,
  { messageId, sequence }: JsonObject,
  { id, secret }: { id: string; secret: string },
  { endpoint }: CheckSurroundings,
): Promise<void> {
  if (!endpoint) return;
  const path = { id, messageId: String(messageId) };
  const arrived = () => deliveriesOf(endpoint, path.messageId)[0];
  const askedAt = performance.now();
  const isLate = lateAfter(probe);
  const detail = await waitFor(probe, path, ({ status }) => arrived() !== undefined || isLate(status === "delivered"));
  const delivery = arrived();
  if (delivery) probe.patience.notified(performance.now() - askedAt);
  if (!delivery) {
    const { status } = detail;
    if (status !== "delivered") return probe.note(`notification-arrives: notification ${sequence} is still ${status}.`);
    const came = "a notification listed as delivered, and none at the endpoint";
    return probe.add(
      callbackFinding("notification-arrives", activity, `notification ${sequence} at ${endpoint.url}`, came),
    );
  }
  const { chainId } = probe.target;
  const included = { includeLogs: true, includeTransfers: true };
  const expected = { secret, webhookId: id, chainId, ...included, sequence: Number(sequence) };
  for (const finding of await examineDelivery(delivery, expected, activity)) probe.add(finding);
  const read = await probe.send("getNotification", { path });
  const sent = sameJson(jsonOrUndefined(delivery.body), asObject(read.json).payload);
  probe.check(read, "notification-detail", sent, "the payload that was sent");
}

async function checkResend(probe: Probe, path: NotificationPath, { endpoint }: CheckSurroundings): Promise<void> {
  // A notification that waits for its first attempt would get only that one.
  const { attemptCount } = await waitFor(probe, path, (detail) => Number(detail.attemptCount) >= 1);
  if (!(Number(attemptCount) >= 1)) return probe.note("notification-resent: no first attempt was made in time.");
  const before = endpoint ? deliveriesOf(endpoint, path.messageId).length : 0;
  const resent = await probe.send("resendNotification", { path });
  if (!probe.status(resent, "status-expected", 202)) return;
  const { messageId } = asObject(resent.json);
  probe.check(resent, "notification-resent", messageId === path.messageId, "the same messageId");
  const made = ({ number, trigger }: JsonObject) => Number(number) > Number(attemptCount) && trigger === "resend";
  const attemptsOf = (detail: JsonObject) => asArray(detail.attempts).map(asObject);
  const arrived = () => !endpoint || deliveriesOf(endpoint, path.messageId).length > before;
  const isLate = lateAfter(probe);
  const after = await waitFor(probe, path, (detail) => {
    const isMade = attemptsOf(detail).some(made);
    return (isMade && arrived()) || isLate(isMade);
  });
  const attempts = attemptsOf(after);
  const expected = `attempt ${Number(attemptCount) + 1} or a later one with the trigger resend`;
  const came = attempts.map(({ number, trigger }) => `${number} ${trigger}`).join(", ");
  const attempt = attempts.find(made);
  if (attempt?.errorClass === "timeout" && !arrived())
    return probe.note(
      "notification-resent: the attempt was made, and the endpoint was too far away for the server's delivery timeout.",
    );
  if (probe.check(resent, "notification-resent", attempt !== undefined, expected, came))
    probe.check(resent, "notification-resent", arrived(), "one more notification at the endpoint", "none");
}

/** What the server says it has sent came before it could say so: it is waited for a little, and not as long as for what may come. */
function lateAfter({ patience }: Probe): (isSent: boolean) => boolean {
  let since: number | undefined;
  return (isSent) => {
    if (isSent) since ??= performance.now();
    return since !== undefined && performance.now() - since > patience.scaled(graceMs);
  };
}

/** Reads the notification until it is as wanted, or the wait is over. */
async function waitFor(
  probe: Probe,
  path: NotificationPath,
  wanted: (detail: JsonObject) => boolean,
): Promise<JsonObject> {
  // Twice, since attempts queue.
  const until = performance.now() + 2 * probe.patience.forNotification();
  for (;;) {
    const detail = asObject((await probe.send("getNotification", { path })).json);
    if (wanted(detail) || performance.now() > until) return detail;
    await wait(100);
  }
}

function deliveriesOf({ receiver }: TestEndpoint, messageId: string): ReceivedDelivery[] {
  return receiver.deliveries.filter(({ headers }) => headers[notificationHeader.id] === messageId);
}

const applied = "applied";
/** A replay takes turns with others. */
const mostBlocks = 20n;
const maxItems = 3;
const pageSize = 100;
const never = { field: "transaction.value", op: "lt", value: "0" };

/** @param listed notifications of a webhook that is `watchingActivity`, in order */
export async function checkApplied(
  probe: Probe,
  listed: readonly JsonObject[],
  surroundings: CheckSurroundings,
): Promise<void> {
  const { activeAddress } = probe.target;
  // What happens while a replay runs is listed before what it adds of earlier blocks.
  const ascending = [...listed].sort((a, b) => Number(a.blockNumber) - Number(b.blockNumber));
  const [first] = ascending;
  if (!first || activeAddress === undefined) return;
  const from = BigInt(String(first.blockNumber));
  const replayed = ascending.filter(({ blockNumber }) => BigInt(String(blockNumber)) - from < mostBlocks);
  if (replayed.length > pageSize) return probe.note(`callback-batch: more than ${pageSize} notifications to replay.`);
  const toBlock = String(replayed.at(-1)?.blockNumber);
  const range = { fromBlock: String(from), toBlock, includeEarlier: true };
  const { metadata, ...rest } = watchingActivity(probe.target);
  const like = (more: JsonObject) => newWebhook(probe.target, { ...rest, metadata: { ...metadata, ...more } });
  const signatures = { eventSignatures: [`0x${"5a".repeat(32)}`] };
  await allSettledOf([
    () => checkNone(probe, range, like({ conditions: never }), "conditions that nothing fulfils"),
    () => checkNone(probe, range, like(signatures), "an event signature that no log has"),
    () => checkNone(probe, range, like({ addresses: [activeAddress, quietAddress] }), "its active address removed"),
    () => checkBatch(probe, range, like({ batch: { maxItems, maxWaitMs: 1_000 } }), surroundings),
    () => checkRate(probe, range, like({}), surroundings),
    () => checkFeedOnly(probe, range, { ...like({}), url: undefined, delivery: "feed" }),
  ]);
}

/** Creates a webhook and replays the blocks for it. @returns its id and what it is notified of; undefined where that was not possible */
async function replayedFor(
  probe: Probe,
  range: JsonObject,
  body: JsonObject,
): Promise<{ id: string; notifications: JsonObject[] } | undefined> {
  const record = await probe.succeed("createWebhook", { body });
  if (!record) return undefined;
  const path = { id: idOf(record) };
  const { addresses } = asObject(asObject(body.metadata));
  const { activeAddress = "" } = probe.target;
  if (asArray(addresses).length > 1)
    await probe.succeed("removeWebhookAddresses", { path, body: { addresses: [activeAddress] } });
  const replay = await probe.succeed("createReplay", { path, body: range });
  if (!replay || !(await finished(probe, path.id, idOf(replay)))) return undefined;
  const list = await probe.succeed("listNotifications", { path, query: { pageSize } });
  return list && { id: path.id, notifications: itemsOf(list, "notifications") };
}

async function checkNone(probe: Probe, range: JsonObject, body: JsonObject, says: string): Promise<void> {
  const replayed = await replayedFor(probe, range, body);
  if (!replayed) return;
  const path = { id: replayed.id };
  const list = await probe.send("listNotifications", { path });
  const expected = `no notifications of a webhook with ${says}, since a preview has none`;
  const came = `${replayed.notifications.length} notifications`;
  probe.check(list, "preview-as-notified", replayed.notifications.length === 0, expected, came);
  await probe.succeed("deleteWebhook", { path });
}

/** What is only read is delivered by being in the feed, without an attempt, and cannot be sent again. */
async function checkFeedOnly(probe: Probe, range: JsonObject, body: JsonObject): Promise<void> {
  const replayed = await replayedFor(probe, range, body);
  if (!replayed) return;
  const path = { id: replayed.id };
  const list = await probe.send("listNotifications", { path, query: { status: "delivered", pageSize } });
  const delivered = itemsOf(asObject(list.json), "notifications");
  const isUnsent = ({ attemptCount, lastAttempt }: JsonObject) => attemptCount === 0 && lastAttempt === undefined;
  const isRight = delivered.length >= replayed.notifications.length && delivered.every(isUnsent);
  const expected = `${replayed.notifications.length} notifications delivered without an attempt, since nothing is sent`;
  const came = `${delivered.length}, of which ${delivered.filter(isUnsent).length} without one`;
  probe.check(list, "feed-only", isRight, expected, came);
  const [first] = replayed.notifications;
  if (first) {
    const ofFirst = { path: { ...path, messageId: String(first.messageId) } };
    probe.status(await probe.send("resendNotification", ofFirst), "feed-only", 400);
  }
  await probe.succeed("deleteWebhook", { path });
}

/** On the way requests gather: what arrives so much too early is a fault. */
const gatheredMs = 1_500;

/** Under a rate of one a second, three requests begin two seconds apart. */
async function checkRate(
  probe: Probe,
  range: JsonObject,
  body: JsonObject,
  { endpoint }: CheckSurroundings,
): Promise<void> {
  if (!endpoint) return;
  const replayed = await replayedFor(probe, range, { ...body, url: endpoint.url, maxPerSecond: 1 });
  if (!replayed) return;
  const ids = new Set(replayed.notifications.map(({ messageId }) => messageId));
  const ofWebhook = ({ headers }: ReceivedDelivery) => ids.has(headers[notificationHeader.id] ?? "");
  const arrived = () => endpoint.receiver.deliveries.filter(ofWebhook).slice(0, 5);
  await until(() => arrived().length >= Math.min(5, ids.size), probe.patience.forNotification());
  const times = arrived().map(({ receivedAt }) => receivedAt);
  const spans = times.flatMap((from, first) =>
    times.slice(first + 1).map((to, more) => ({ count: more + 2, ms: to - from })),
  );
  const tooSoon = spans.find(({ count, ms }) => ms < (count - 1) * 1_000 - gatheredMs);
  const expected = "one request begun in a second at most";
  if (tooSoon)
    probe.add(callbackFinding("callback-rate", applied, expected, `${tooSoon.count} within ${tooSoon.ms} ms`));
  await probe.succeed("deleteWebhook", { path: { id: replayed.id } });
}

async function until(isDone: () => boolean, mostMs: number): Promise<void> {
  const began = performance.now();
  while (!isDone() && performance.now() - began < mostMs) await wait(100);
}

/** Each POST has several if they are there, in their order, and under the sequence of the first. */
async function checkBatch(
  probe: Probe,
  range: JsonObject,
  body: JsonObject,
  { endpoint }: CheckSurroundings,
): Promise<void> {
  if (!endpoint) return;
  const replayed = await replayedFor(probe, range, { ...body, url: endpoint.url });
  if (!replayed) return;
  const path = { id: replayed.id };
  const sequences = new Map(replayed.notifications.map(({ messageId, sequence }) => [messageId, Number(sequence)]));
  const arrived = () => endpoint.receiver.deliveries.filter((one) => isOf(one, sequences));
  const numbersOf = ({ body: sent }: ReceivedDelivery) =>
    asArray(jsonOrUndefined(sent) ?? null).map((one) => sequences.get(asObject(one).messageId) ?? Number.NaN);
  const haveAll = () => new Set(arrived().flatMap(numbersOf)).size >= sequences.size;
  await until(haveAll, probe.patience.forNotification());
  for (const delivery of arrived()) {
    const numbers = numbersOf(delivery);
    const header = delivery.headers[notificationHeader.sequence];
    const isRight =
      numbers.length <= maxItems &&
      numbers.every((number, index) => number === Number(header) + index) &&
      numbers[0] === Number(header);
    const expected = `at most ${maxItems} notifications, each with the sequence after the one before it, from ${notificationHeader.sequence} on`;
    const came = `the sequences ${numbers.join(", ")}, and ${notificationHeader.sequence} ${header}`;
    if (!isRight) probe.add(callbackFinding("callback-batch", applied, expected, came));
  }
  await probe.succeed("deleteWebhook", { path });
}

const isOf = ({ body }: ReceivedDelivery, sequences: ReadonlyMap<unknown, number>) =>
  asArray(jsonOrUndefined(body) ?? null).some((one) => sequences.has(asObject(one).messageId));
