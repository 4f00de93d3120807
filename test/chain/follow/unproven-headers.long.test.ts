/** A block whose header nobody can check is used when one more node has the same header, where there are several nodes. */
import { afterEach, describe, expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { hashOfHeader } from "../../../server/chain/check/header.ts";
import { connectNode } from "../../../server/chain/nodes/node.ts";
import { areConfirmed } from "../../../server/chain/sources/witnesses.ts";
import type { WireBlock } from "../../../server/matching/wire.ts";
import { createReplay, getReplay } from "../../../server/store/chains/replays.ts";
import { inTransaction } from "../../../server/store/pool.ts";
import { emptyRoot } from "../../support/made-block.ts";
import { type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";
import { testChain } from "../../support/service.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe("A block with an unknown field in its header", () => {
  const { block } = recordedBundle("mainnet/20000000");
  const header = { ...block, transactions: [], slotNumber: "0x1" };
  const blocks = [{ number: Number(block.number), hash: block.hash, unprovenHeader: hashOfHeader(block, "unknown") }];

  /** Whether the others' responses confirm the header. */
  async function confirmed(answers: readonly unknown[], { nodes = 1 + answers.length, silent = 0 } = {}) {
    const over = new AbortController();
    const ask = await Promise.all(
      answers.map(async (result) => {
        const stub = await startRpcProxy();
        stub.answer = () => (result === "away" ? "cut" : { result });
        closing.push(stub.close);
        return connectNode(stub.url, { signal: over.signal });
      }),
    );
    closing.push(async () => over.abort());
    const chain = { ...testChain({ rpcUrl: "" }), rpcUrls: Array.from({ length: nodes }, () => "http://127.0.0.1") };
    const node = connectNode("http://127.0.0.1", { signal: over.signal });
    return areConfirmed(blocks, { chain, node, witnesses: { ask, silent } });
  }
  const other = { ...header, logsBloom: `0x${"00".repeat(256)}` };

  test.each<[string, unknown[], boolean]>([
    ["by one that has the same", [header], true],
    ["by one that has the same without the field", [{ ...block, transactions: [] }], true],
    ["by the second, whatever the first says", [other, header], true],
    ["by none that is away", ["away"], false],
    ["by none that does not have the block yet", [null], false],
  ])("is confirmed %s", async (_, answers, expected) => {
    expect(await confirmed(answers)).toBe(expected);
  });

  test("is not trusted where the others have another", async () => {
    await expect(confirmed([other, "away"])).rejects.toMatchObject({
      name: "NodeError",
      message: expect.stringContaining("differs"),
    });
  });

  test("is used if there is only one node, but not while a second one rests", async () => {
    expect(await confirmed([], { nodes: 1 })).toBe(true);
    expect(await confirmed([], { nodes: 2, silent: 1 })).toBe(false);
  });
});

describe("While following", () => {
  let world: ChainWorld;

  async function nodes(count: number): Promise<RpcProxy[]> {
    world = await startChainWorld();
    closing.push(() => world.stop());
    const more = await Promise.all(Array.from({ length: count - 1 }, () => startRpcProxy(world.node.rpcUrl)));
    for (const { close } of more) closing.push(close);
    const all = [world.proxy, ...more];
    await world.start({ rpcUrls: all.map(({ url }) => url) });
    await world.followed();
    return all;
  }

  /** Has the node's blocks say something else, and hides that their hash does not fit behind a field that nobody knows. */
  function change(proxy: RpcProxy | undefined, changed: Partial<WireBlock>): void {
    if (!proxy) throw new Error("there is no such node");
    proxy.answer = async ({ method }, forward) => {
      const forwarded = await forward();
      const isBlock =
        method.startsWith("eth_getBlockBy") &&
        typeof forwarded === "object" &&
        "result" in forwarded &&
        forwarded.result;
      return isBlock ? { result: { ...(forwarded.result as WireBlock), ...changed, newField: "0x1" } } : forwarded;
    };
  }
  const fork = { extraData: "0x1234" } as const;
  /** As if nothing had happened in any block. */
  const empty = {
    ...{ transactions: [], transactionsRoot: emptyRoot, receiptsRoot: emptyRoot, gasUsed: "0x0" as const },
    logsBloom: `0x${"00".repeat(256)}`,
  } as const;

  test("a fork that adds a field stops no chain whose nodes agree", async () => {
    const address = freshAddress();
    for (const proxy of await nodes(2)) change(proxy, fork);
    const webhook = await world.watch({ addresses: [address] });
    await world.chain.transfers(address, 3);
    await world.assertExact(webhook);
    expect(world.logged.map(({ reason }) => reason)).toContain("headers have fields that are not known: newField");
  });

  test("a node that omits a transaction behind a new field is outvoted by two", async () => {
    const address = freshAddress();
    const [liar] = await nodes(3);
    change(liar, { ...empty, transactions: [] });
    const webhook = await world.watch({ addresses: [address] });
    await world.chain.transfers(address, 3);
    await world.assertExact(webhook);
    expect(JSON.stringify(world.logged)).toContain("differs from that of another node");
  });

  test("a replay does not use such a block either before another node confirms it", async () => {
    const address = freshAddress();
    const [one, two] = await nodes(2);
    await world.chain.transfer(address);
    await world.followed();
    for (const proxy of [one, two]) change(proxy, fork);
    if (two) two.down = true;
    const webhook = await world.watch({ addresses: [address] });
    const { id } = await inTransaction(world.pool, (db) =>
      createReplay(db, 1, webhook.id, { from: 1n, to: 1n, includeEarlier: true }),
    );
    const reasons = () => world.logged.map(({ reason }) => String(reason));
    await soon(async () =>
      expect(reasons().some((reason) => reason.includes("no other node confirms block 1"))).toBe(true),
    );
    expect(await world.notified(webhook)).toEqual([]);
    if (two) two.down = false;
    await soon(
      async () => expect(await getReplay(world.pool, 1, webhook.id, id)).toMatchObject({ status: "done" }),
      20_000,
    );
    expect(await world.notified(webhook)).toHaveLength(1);
  });
});
