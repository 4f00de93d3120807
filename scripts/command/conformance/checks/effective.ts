/** From which block on a webhook, a change of its addresses, and a resumption hold: never from one that was followed before. */
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
  await holdsLater(probe, async () => {
    await probe.succeed("updateWebhook", { path, body: { status: "inactive" } });
    return probe.send("updateWebhook", { path, body: { status: "active" } });
  });
  await probe.succeed("deleteWebhook", { path });
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
