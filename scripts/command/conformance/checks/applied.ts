/**
 * What a webhook asks for decides what it is notified of: the same blocks are replayed for webhooks with other options, some of which let
 * nothing through, and one of which is sent several notifications in a POST.
 */
import { setTimeout as wait } from "node:timers/promises";
import { notificationHeader } from "../../../../generated/notification-header.ts";
import { asArray, asObject, type JsonObject } from "../../../document/json.ts";
import { callbackFinding } from "../delivery.ts";
import { parseJson } from "../exchange.ts";
import { idOf, itemsOf, newWebhook, type Probe, quietAddress, watchingActivity } from "../probe.ts";
import type { Delivery } from "../receiver.ts";
import { together } from "../together.ts";
import type { Surroundings } from "./notifications.ts";
import { finished } from "./replay.ts";

const by = "applied";
/** A replay reads ten blocks a second. */
const mostBlocks = 20n;
const maxItems = 3;
const pageSize = 100;
const never = { field: "transaction.value", op: "lt", value: "0" };

/** @param listed notifications of a webhook that is `watchingActivity`, in order */
export async function checkApplied(
  probe: Probe,
  listed: readonly JsonObject[],
  surroundings: Surroundings,
): Promise<void> {
  const { activeAddress } = probe.target;
  const [first] = listed;
  if (!first || activeAddress === undefined) return;
  const from = BigInt(String(first.blockNumber));
  const replayed = listed.filter(({ blockNumber }) => BigInt(String(blockNumber)) - from < mostBlocks);
  if (replayed.length > pageSize) return probe.note(`callback-batch: more than ${pageSize} notifications to replay.`);
  const range = { fromBlock: String(from), toBlock: String(replayed.at(-1)?.blockNumber) };
  const { metadata, ...rest } = watchingActivity(probe.target);
  const like = (more: JsonObject) => newWebhook(probe.target, { ...rest, metadata: { ...metadata, ...more } });
  const signatures = { eventSignatures: [`0x${"5a".repeat(32)}`] };
  await together([
    () => checkNone(probe, range, like({ conditions: never }), "conditions that nothing fulfils"),
    () => checkNone(probe, range, like(signatures), "an event signature that no log has"),
    () => checkNone(probe, range, like({ addresses: [activeAddress, quietAddress] }), "its active address removed"),
    () => checkBatch(probe, range, like({ batch: { maxItems, maxWaitMs: 1_000 } }), surroundings),
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

/** Each POST has several if they are there, in their order, and under the sequence of the first. */
async function checkBatch(
  probe: Probe,
  range: JsonObject,
  body: JsonObject,
  { endpoint }: Surroundings,
): Promise<void> {
  if (!endpoint) return;
  const replayed = await replayedFor(probe, range, { ...body, url: endpoint.url });
  if (!replayed) return;
  const path = { id: replayed.id };
  const sequences = new Map(replayed.notifications.map(({ messageId, sequence }) => [messageId, Number(sequence)]));
  const arrived = () => endpoint.receiver.deliveries.filter((one) => isOf(one, sequences));
  const mostMs = probe.patience.forNotification();
  const began = performance.now();
  const numbersOf = ({ body: sent }: Delivery) =>
    asArray(parseJson(sent) ?? null).map((one) => sequences.get(asObject(one).messageId) ?? Number.NaN);
  while (new Set(arrived().flatMap(numbersOf)).size < sequences.size && performance.now() - began < mostMs)
    await wait(100);
  for (const delivery of arrived()) {
    const numbers = numbersOf(delivery);
    const header = delivery.headers[notificationHeader.sequence];
    const isRight =
      numbers.length <= maxItems &&
      numbers.every((number, index) => number === Number(header) + index) &&
      numbers[0] === Number(header);
    const expected = `at most ${maxItems} notifications, each with the sequence after the one before it, from ${notificationHeader.sequence} on`;
    const came = `the sequences ${numbers.join(", ")}, and ${notificationHeader.sequence} ${header}`;
    if (!isRight) probe.add(callbackFinding("callback-batch", by, expected, came));
  }
  await probe.succeed("deleteWebhook", { path });
}

const isOf = ({ body }: Delivery, sequences: ReadonlyMap<unknown, number>) =>
  asArray(parseJson(body) ?? null).some((one) => sequences.has(asObject(one).messageId));
