/**
 * From which block on a webhook, a change of its addresses, and a resumption hold: never from one that was followed before, unless that was
 * asked for.
 */
import { asObject, type Json } from "../../../document/json.ts";
import type { RecordedExchange } from "../exchange.ts";
import { idOf, itemsOf, newWebhook, type Probe, quietAddress } from "../probe.ts";

// The chain may lose its newest blocks to a reorganisation between two requests, but hardly so often.
const mostTries = 3;
const expected = (block: bigint) =>
  `effectiveFromBlock above ${block}, which the chain had followed before the request`;

/** Compares each `effectiveFromBlock` with the `followedBlock` that listChains reported before. */
export async function checkEffective(probe: Probe): Promise<void> {
  if (probe.target.followedBlock === undefined)
    return probe.note(
      `effective-from-next-block: chain ${probe.target.chainId} has no followedBlock in listChains, so it could not be compared.`,
    );
  let id = "";
  await holdsLater(probe, async () => {
    const created = await probe.send("createWebhook", { body: newWebhook(probe.target) });
    id = idOf(asObject(created.json));
    return created;
  });
  if (id === "undefined") return;
  const path = { id };
  const body = { addresses: [quietAddress.replace("0x00", "0x11")] };
  await holdsLater(probe, () => probe.send("addWebhookAddresses", { path, body }));
  await holdsLater(probe, () => probe.send("removeWebhookAddresses", { path, body }));
  await checkAddedPast(probe, path);
  await holdsLater(probe, async () => {
    await probe.succeed("updateWebhook", { path, body: { status: "inactive" } });
    return probe.send("updateWebhook", { path, body: { status: "active" } });
  });
  await probe.succeed("deleteWebhook", { path });
  await checkHistory(probe);
}

/** How far above the newest block surely nothing is. */
const farAhead = 1_000_000_000n;

async function checkHistory(probe: Probe): Promise<void> {
  const followed = await followedBlock(probe);
  if (followed === undefined) return;
  const ahead = String(followed + farAhead);
  const future = await probe.send("createWebhook", { body: newWebhook(probe.target, { fromBlock: ahead }) });
  if (!probe.status(future, "history-refused", 400) && future.status === 201)
    await probe.succeed("deleteWebhook", { path: { id: idOf(asObject(future.json)) } });
  const fromBlock = String(followed);
  const created = await probe.send("createWebhook", { body: newWebhook(probe.target, { fromBlock }) });
  // Its nodes may have failed, or have lost the block to a reorganisation.
  if ([400, 403, 409, 502, 503].includes(created.status)) return;
  if (!probe.status(created, "status-expected", 201)) return;
  const { effectiveFromBlock, history, id } = asObject(created.json);
  const { nextBlock, untilBlock, mode, nodesAgreed } = asObject(history ?? {});
  const hasNodes = mode !== "logs" && nodesAgreed !== undefined;
  const [next, until] = [blockOf(nextBlock), blockOf(untilBlock)];
  const isRight =
    history === undefined || (next !== undefined && until !== undefined && next >= followed && next <= until + 1n);
  const came = `effectiveFromBlock: ${effectiveFromBlock}, history: ${JSON.stringify(history)}`;
  const wanted = `effectiveFromBlock: ${fromBlock}, and a history from there on or none`;
  probe.check(created, "history-shown", effectiveFromBlock === fromBlock && isRight && !hasNodes, wanted, came);
  await probe.succeed("deleteWebhook", { path: { id: String(id) } });
}

/** Addresses in which nothing happens, so that their replay adds nothing. */
async function checkAddedPast(probe: Probe, path: { id: string }): Promise<void> {
  const followed = await followedBlock(probe);
  if (followed === undefined) return;
  const body = { addresses: [quietAddress.replace("0x00", "0x12")] };
  const ahead = String(followed + farAhead);
  const future = await probe.send("addWebhookAddresses", { path, body: { ...body, fromBlock: ahead } });
  probe.status(future, "history-refused", 400);
  if (future.status < 300) await probe.succeed("removeWebhookAddresses", { path, body });
  const past = { path, body: { ...body, fromBlock: String(followed) } };
  const added = await probe.send("addWebhookAddresses", past);
  // Its nodes may have failed, or have lost the block to a reorganisation.
  if ([400, 403, 409, 502, 503].includes(added.status)) return;
  if (!probe.status(added, "status-expected", 200)) return;
  const { effectiveFromBlock, replayId } = asObject(added.json);
  const effective = blockOf(effectiveFromBlock);
  if (effective === undefined || effective <= followed) return;
  const wanted = `a replayId, of blocks ${followed} to ${effective - 1n}`;
  if (!probe.check(added, "added-past", typeof replayId === "string", wanted, `replayId: ${replayId}`)) return;
  const read = await probe.send("getReplay", { path: { ...path, replayId: String(replayId) } });
  const { fromBlock, toBlock } = asObject(read.json);
  const isRight = fromBlock === String(followed) && toBlock === String(effective - 1n);
  probe.check(read, "added-past", isRight, wanted, `status ${read.status}, ${fromBlock} to ${toBlock}`);
  const again = await probe.send("addWebhookAddresses", past);
  const repeated = asObject(again.json).replayId;
  if (again.status === 200)
    probe.check(again, "added-past", repeated === replayId, `replayId: ${replayId}`, `replayId: ${repeated}`);
}

async function holdsLater(probe: Probe, request: () => Promise<RecordedExchange>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const followed = await followedBlock(probe);
    const answer = await request();
    const { effectiveFromBlock } = asObject(answer.json);
    const block = blockOf(effectiveFromBlock);
    if (answer.status >= 300 || followed === undefined || block === undefined || block > followed) return;
    const came = `effectiveFromBlock ${block}`;
    if (tries === mostTries)
      return void probe.check(answer, "effective-from-next-block", false, expected(followed), came);
  }
}

async function followedBlock(probe: Probe): Promise<bigint | undefined> {
  const listed = await probe.send("listChains");
  const chain = itemsOf(asObject(listed.json), "chains").find(({ chainId }) => chainId === probe.target.chainId);
  return blockOf(chain?.followedBlock);
}

function blockOf(value: Json | undefined): bigint | undefined {
  return /^\d+$/.test(String(value)) ? BigInt(String(value)) : undefined;
}
