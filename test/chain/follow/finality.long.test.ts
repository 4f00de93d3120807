/** What was final is never replaced: the chain stands still, says so, and goes on when its node is right again. */
import { afterEach, describe, expect, test } from "vitest";
import type { Finality } from "../../../server/settings/chain-profiles.ts";
import { startRpcProxy } from "../../support/rpc-proxy.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";
import { type Branch, sameGenesis, startBranch } from "../second-branch.ts";

let world: ChainWorld;
let branch: Branch | undefined;
afterEach(async () => {
  await world.stop();
  await branch?.stop();
  branch = undefined;
});

/** A followed chain of six blocks with a notification each, and another branch of seven that leaves it at the first block. */
async function twoBranches(finality: Finality, args: string[] = []) {
  const node = { args: [...(sameGenesis.args ?? []), ...args] };
  world = await startChainWorld({ node, chain: { finality } });
  branch = await startBranch(world);
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [freshAddress()] });
  const [address = ""] = webhook.metadata.addresses;
  for (let block = 0; block < 6; block += 1) await world.chain.transfer(address);
  await world.followed();
  for (let block = 0; block < 7; block += 1) await branch.diverge();
  return { webhook, address, b: branch };
}

/** The recorded blocks that could still be replaced. */
async function replaceable(): Promise<number[]> {
  const { rows } = await world.pool.query<{ number: number }>(
    "SELECT number FROM chain_blocks WHERE number >= 0 ORDER BY number",
  );
  return rows.map(({ number }) => number);
}

describe.each<[Finality, string[]]>([
  ["latest", []],
  [{ confirmations: 3 }, []],
  ["finalized", ["--slots-in-an-epoch", "1"]],
])("with finality %j", (finality, args) => {
  test("a branch below it stops the chain visibly, retracts nothing, and following resumes when the node is right again", async () => {
    const { webhook, address, b } = await twoBranches(finality, args);
    const [cursor, blocks] = [await world.cursor(), await replaceable()];
    world.proxy.upstream = b.rpcUrl;
    await soon(async () => expect(await world.stopped()).toMatch(/contradicts a block that was final; .* stops until/));
    expect(await world.stopped()).toContain("The chain's nodes have block 0x");
    expect(await world.cursor()).toEqual(cursor);
    expect(await replaceable()).toEqual(blocks);
    expect((await world.notified(webhook)).map(({ removed }) => removed)).toEqual(Array(6).fill(false));

    await world.chain.transfer(address);
    world.proxy.upstream = world.node.rpcUrl;
    await world.followed();
    expect(await world.stopped()).toBeNull();
    expect((await world.notified(webhook)).map(({ removed }) => removed)).toEqual(Array(7).fill(false));
  });
});

test("a branch that leaves at the final block itself is followed", async () => {
  world = await startChainWorld({ chain: { finality: { confirmations: 3 } } });
  await world.start();
  await world.followed();
  const webhook = await world.watch({ addresses: [freshAddress()] });
  for (let block = 0; block < 6; block += 1) await world.chain.transfer(webhook.metadata.addresses[0] ?? "");
  await world.followed();
  expect(await replaceable()).toEqual([3, 4, 5, 6]);
  await world.chain.reorg(3);
  await world.followed();
  expect((await world.notified(webhook)).filter(({ removed }) => removed)).toHaveLength(3);
  expect(await world.stopped()).toBeNull();
});

test.each<[Finality, string[], number[]]>([
  ["latest", [], [21]],
  [{ confirmations: 5 }, [], [16, 17, 18, 19, 20, 21]],
  [{ confirmations: 64 }, [], Array.from({ length: 22 }, (_, number) => number)],
  // Block 19 is final, too, but was not when block 21 was requested.
  ["finalized", ["--slots-in-an-epoch", "1"], [18, 19, 20, 21]],
])("with finality %j only the blocks that can still be replaced are kept", async (finality, args, kept) => {
  world = await startChainWorld({ chain: { finality }, node: { args } });
  await world.start();
  await world.followed();
  for (let block = 0; block < 4; block += 1) {
    await world.chain.mine(5);
    await world.followed();
  }
  await world.chain.mine(1);
  await world.followed();
  expect(await replaceable()).toEqual(kept);
});

test.each([
  ["null", { result: null }],
  ["an error", { error: { code: -39001, message: "finalized block not found" } }],
])("a node that returns %s for the finalized block is still followed", async (_, answer) => {
  world = await startChainWorld({ chain: { finality: "finalized" } });
  world.proxy.answer = ({ params }, forward) => (params[0] === "finalized" ? answer : forward());
  await world.start();
  await world.followed();
  await world.chain.mine(20);
  await world.followed();
  expect((await replaceable()).length).toBe(21);
});

test("one node that contradicts what was final does not stop the chain while another agrees", async () => {
  const { webhook, address, b } = await twoBranches({ confirmations: 3 });
  await world.halt();
  const wrong = await startRpcProxy(b.rpcUrl);
  await world.start({ rpcUrls: [wrong.url, world.proxy.url] });
  await world.chain.transfer(address);
  await world.followed();
  expect(await world.stopped()).toBeNull();
  expect(JSON.stringify(world.logged)).toContain("and the other nodes have another");
  expect(await world.notified(webhook)).toHaveLength(7);
  await world.halt();
  await wrong.close();
});
