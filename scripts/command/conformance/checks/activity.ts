/** Recorded notifications: a replay makes them where the address that was given takes part in transactions. */
import { setTimeout as wait } from "node:timers/promises";
import { notificationHeader } from "../../../../generated/notification-header.ts";
import { asArray, asObject, type JsonObject, same } from "../../../document/json.ts";
import { examineDelivery } from "../delivery.ts";
import { parseJson } from "../exchange.ts";
import { idOf, itemsOf, newWebhook, type Probe } from "../probe.ts";
import type { Endpoint } from "./callback.ts";
import { checkPages, walk } from "./pages.ts";

const by = "activity";
const longestRange = 100n;
const patienceMs = 30_000;

/** Replays the newest blocks, and looks at what that made. @param endpoint undefined where no notification can arrive */
export async function checkActivity(probe: Probe, endpoint: Endpoint | undefined): Promise<void> {
  const { target } = probe;
  if (target.followedBlock === undefined)
    return probe.note(`Replays, notifications: chain ${target.chainId} has no followedBlock in listChains.`);
  const record = await probe.succeed("createWebhook", {
    body: newWebhook(target, { ...(endpoint && { url: endpoint.url }), includeLogs: true }),
  });
  if (!record) return;
  const path = { id: idOf(record) };
  await checkTooManyReplays(probe, target.followedBlock);
  const to = target.followedBlock;
  const from = to >= longestRange ? to - longestRange + 1n : 0n;
  const body = { fromBlock: String(from), toBlock: String(to) };
  const created = await probe.send("createReplay", { path, body });
  if (created.status === 400)
    return probe.note(`Notifications: the replay of the blocks ${from} to ${to} was refused: ${created.body}`);
  if (!probe.status(created, "status-expected", 202)) return;
  const replayId = idOf(asObject(created.json));
  const location = `/v1/webhooks/${path.id}/replays/${replayId}`;
  const at = created.headers.location;
  probe.check(created, "location", at === undefined || at === location, `Location: ${location}`, `Location: ${at}`);
  if (await finished(probe, path.id, replayId)) await checkNotifications(probe, path.id, endpoint);
  await probe.succeed("deleteWebhook", { path });
}

async function finished(probe: Probe, id: string, replayId: string): Promise<boolean> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const replay = await probe.send("getReplay", { path: { id, replayId } });
    const { status, finishedAt } = asObject(replay.json);
    if (replay.status !== 200) return probe.status(replay, "status-expected", 200);
    if (status === "done") return probe.check(replay, "replay-finishes", finishedAt !== undefined, "finishedAt");
    if (status === "failed" || performance.now() > until)
      return probe.check(replay, "replay-finishes", false, `done within ${patienceMs / 1000} s`);
    await wait(100);
  }
}

async function checkNotifications(probe: Probe, id: string, endpoint: Endpoint | undefined): Promise<void> {
  const pageSize = 2;
  const walked = await walk(probe, "listNotifications", { path: { id }, pageSize });
  const items = (body: JsonObject) => itemsOf(body, "notifications").map(({ messageId }) => String(messageId));
  const [messageId] = checkPages(probe, walked, { items, pageSize, wanted: [] });
  if (messageId === undefined) {
    const how = probe.target.addressIsActive ? "took no part in the newest blocks" : "was not given";
    return probe.note(`getNotification 200, resendNotification 202: --address ${how}, so nothing was notified.`);
  }
  const last = walked.pages.at(-1);
  const sequences = walked.pages.flatMap((page) => itemsOf(asObject(page.json), "notifications"));
  const ordered = sequences.every(({ sequence }, index) => sequence === index + 1);
  const came = sequences.map(({ sequence }) => sequence).join(", ");
  if (last) probe.check(last, "notifications-in-order", ordered, "sequences 1, 2, 3, …", came);
  await checkDetail(probe, { id, messageId });
  await checkResend(probe, { id, messageId }, endpoint);
}

type Place = { id: string; messageId: string };

async function checkDetail(probe: Probe, path: Place): Promise<void> {
  const exchange = await probe.send("getNotification", { path });
  if (!probe.status(exchange, "status-expected", 200)) return;
  const detail = asObject(exchange.json);
  const payload = asObject(detail.payload);
  const { transaction } = asObject(payload.event);
  const right =
    detail.messageId === path.messageId &&
    payload.messageId === path.messageId &&
    payload.webhookId === path.id &&
    asObject(transaction).txHash === detail.txHash &&
    asArray(detail.attempts).length === detail.attemptCount;
  probe.check(exchange, "notification-detail", right, "a payload and attempts that are those of the notification");
}

async function checkResend(probe: Probe, path: Place, endpoint: Endpoint | undefined): Promise<void> {
  if (endpoint) endpoint.receiver.answer = () => ({ status: 204 });
  const before = await settled(probe, path, 1);
  const resent = await probe.send("resendNotification", { path });
  if (!probe.status(resent, "status-expected", 202)) return;
  const { messageId } = asObject(resent.json);
  probe.check(resent, "notification-resent", messageId === path.messageId, "the same messageId");
  const attempts = Number(before.attemptCount) + 1;
  const after = await settled(probe, path, attempts);
  const enough = Number(after.attemptCount) >= attempts;
  probe.check(resent, "notification-resent", enough, `attempt ${attempts}`, `${after.attemptCount} attempts`);
  const delivery = endpoint?.receiver.deliveries.findLast(
    ({ headers }) => headers[notificationHeader.id] === path.messageId,
  );
  const secret = await probe.succeed("getWebhookSecret", { path });
  if (!delivery || !secret) return;
  const { payload, sequence } = after;
  const expected = {
    secret: String(secret.secret),
    webhookId: path.id,
    chainId: probe.target.chainId,
    includeLogs: true,
    sequence: Number(sequence),
  };
  for (const finding of await examineDelivery(delivery, expected, by)) probe.add(finding);
  const detail = await probe.send("getNotification", { path });
  const sent = same(parseJson(delivery.body), payload);
  probe.check(detail, "notification-detail", sent, "the payload that was sent");
}

/** The notification, once it has that many attempts on record or the wait is over. */
async function settled(probe: Probe, path: Place, attempts: number): Promise<JsonObject> {
  const until = performance.now() + patienceMs / 2;
  for (;;) {
    const detail = asObject((await probe.send("getNotification", { path })).json);
    if (Number(detail.attemptCount) >= attempts || performance.now() > until) return detail;
    await wait(100);
  }
}

/** Ten unfinished replays are allowed. They may have finished before the eleventh arrives. */
async function checkTooManyReplays(probe: Probe, followedBlock: bigint): Promise<void> {
  const longest = 9_999n;
  if (followedBlock < longest) return probe.note("createReplay 409: the chain is too short for ten long replays.");
  const record = await probe.create();
  if (!record) return;
  const path = { id: idOf(record) };
  const body = { fromBlock: String(followedBlock - longest), toBlock: String(followedBlock) };
  for (let n = 1; n <= 11; n += 1) {
    const { status } = await probe.send("createReplay", { path, body });
    if (status !== 202) break;
  }
  await probe.succeed("deleteWebhook", { path });
}
