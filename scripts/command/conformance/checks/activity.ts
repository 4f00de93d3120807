/** Recorded notifications: a replay makes them where the address that was given takes part in transactions. */
import { asObject } from "../../../document/json.ts";
import { idOf, itemsOf, newWebhook, nothing, type Probe, watchingActivity } from "../probe.ts";
import { type CheckSurroundings, checkNotifications } from "./notifications.ts";
import { checkCancelled, checkEarlier, finished } from "./replay.ts";

const longestRange = 100n;

/** Replays the newest blocks, and looks at what that made. */
export async function checkActivity(probe: Probe, surroundings: CheckSurroundings): Promise<void> {
  const { target } = probe;
  const { endpoint } = surroundings;
  if (target.followedBlock === undefined)
    return probe.note(`Replays, notifications: chain ${target.chainId} has no followedBlock in listChains.`);
  const record = await probe.succeed("createWebhook", {
    body: newWebhook(target, { ...watchingActivity(target), ...(endpoint && { url: endpoint.url }) }),
  });
  if (!record) return;
  const path = { id: idOf(record) };
  await checkTooManyReplays(probe, target.followedBlock);
  const to = target.followedBlock;
  const from = to >= longestRange ? to - longestRange + 1n : 0n;
  await checkEarlier(probe, { id: path.id, firstBlock: BigInt(String(record.effectiveFromBlock)) });
  await checkCancelled(probe, path.id, to);
  const body = { fromBlock: String(from), toBlock: String(to), includeEarlier: true };
  const created = await probe.send("createReplay", { path, body });
  if (created.status === 400)
    return probe.note(`Notifications: the replay of the blocks ${from} to ${to} was refused: ${created.body}`);
  if (!probe.status(created, "status-expected", 202)) return;
  const replayId = idOf(asObject(created.json));
  const location = `/v1/webhooks/${path.id}/replays/${replayId}`;
  const at = created.headers.location;
  probe.check(created, "location", at === undefined || at === location, `Location: ${location}`, `Location: ${at}`);
  if (await finished(probe, path.id, replayId))
    await checkNotifications(probe, { id: path.id, replayId }, surroundings);
  await checkBelowAnother(probe, path.id, replayId);
  await probe.succeed("deleteWebhook", { path });
}

/** What is below one webhook is not below another, also not of the same account. */
async function checkBelowAnother(probe: Probe, id: string, replayId: string): Promise<void> {
  const other = await probe.create();
  if (!other) return;
  const list = await probe.send("listNotifications", { path: { id }, query: { pageSize: 1 } });
  const [notification] = itemsOf(asObject(list.json), "notifications");
  const path = { id: idOf(other), replayId, messageId: String(notification?.messageId ?? nothing) };
  for (const operation of ["getReplay", "cancelReplay", "getNotification", "resendNotification"] as const)
    probe.status(await probe.send(operation, { path }), "unknown-is-404", 404);
  await probe.succeed("deleteWebhook", { path });
}

/** Ten unfinished replays are allowed. They may have finished before the eleventh arrives. */
async function checkTooManyReplays(probe: Probe, followedBlock: bigint): Promise<void> {
  const longest = 9_999n;
  if (followedBlock < longest) return probe.note("createReplay 409: the chain is too short for ten long replays.");
  const record = await probe.create();
  if (!record) return;
  const path = { id: idOf(record) };
  const body = { fromBlock: String(followedBlock - longest), toBlock: String(followedBlock), includeEarlier: true };
  for (let n = 1; n <= 11; n += 1) {
    const { status } = await probe.send("createReplay", { path, body });
    if (status !== 202) break;
  }
  await probe.succeed("deleteWebhook", { path });
}
