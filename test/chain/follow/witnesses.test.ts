/** Which node is followed when nodes differ: by how many have its block, how many have another, and how many cannot say. */
import { afterEach, describe, expect, test } from "vitest";
import { BlockRefusedError } from "../../../server/chain/check/accept.ts";
import { connectNode, type Node, NodeError, UntrustedNodeError } from "../../../server/chain/nodes/node.ts";
import type { NodeReader } from "../../../server/chain/read/reader.ts";
import { createNodePool } from "../../../server/chain/sources/node-pool.ts";
import { nodeSources } from "../../../server/chain/sources/node-source.ts";
import { agreedHits, isAgreedOn, silenceMs, watchLag } from "../../../server/chain/sources/witnesses.ts";
import { type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";
import { testChain } from "../../support/service.ts";

const hashOf = (branch: string) => `0x${branch.repeat(64)}` as const;
const rival = { number: 7, hash: hashOf("b") };

let over = new AbortController();
const stubs: RpcProxy[] = [];
afterEach(async () => {
  over.abort();
  over = new AbortController();
  for (const stub of stubs.splice(0)) await stub.close();
});

/** A node on a branch, up to a head; without a branch it does not respond. */
async function nodeOn(branch: string | undefined, head = 7): Promise<Node & { head: number }> {
  const stub = await startRpcProxy();
  stubs.push(stub);
  const node = { ...connectNode(stub.url, { signal: over.signal }), head };
  stub.answer = ({ params: [asked] }) => {
    if (!branch) return "cut";
    const number = asked === "latest" ? node.head : Number(asked);
    if (number > node.head) return { result: null };
    const hash = hashOf(branch);
    return { result: { number: `0x${number.toString(16)}`, hash, parentHash: hash, transactions: [] } };
  };
  return node;
}

describe("a node's block that contradicts what was recorded is", () => {
  test.each<[string, (string | undefined)[], number, boolean | undefined]>([
    ["followed if it is the only node", [], 0, true],
    ["followed when another has it", ["b"], 0, true],
    ["not followed when another has another", ["a"], 0, false],
    ["followed when two of three have it", ["a", "b"], 0, true],
    ["not followed when two of three have another", ["a", "a"], 0, false],
    ["followed when two of three have it and the third does not respond", ["b", undefined], 0, true],
    ["not followed yet when the other does not respond", [undefined], 0, undefined],
    ["not followed yet when two others do not respond", [undefined, undefined], 0, undefined],
    ["not followed yet when two others throttled us", [], 2, undefined],
    ["not followed when one has another and one does not respond", ["a", undefined], 0, false],
  ])("%s", async (_, others, silent, expected) => {
    const ask = await Promise.all(others.map((branch) => nodeOn(branch)));
    expect(await isAgreedOn(rival, { ask, silent }, silenceMs - 1)).toBe(expected);
    // In the end one good node is enough, and a denial stays one.
    expect(await isAgreedOn(rival, { ask, silent }, silenceMs)).toBe(expected ?? true);
  });
});

describe("of the others", () => {
  const failure = (more = {}) => new NodeError("no", { method: "eth_any", origin: "http://node", ...more });
  const refused = new BlockRefusedError([{ check: "bloom", reason: "is wrong" }], {
    block: { number: "0x7", hash: "0x" },
    node: "http://node",
  });
  const untrusted = new UntrustedNodeError("it lags", { method: "eth_any", origin: "http://node" });

  test.each([
    ["that is there has a voice, and may be ahead", undefined, { asked: true, silent: 0, mayBeAhead: true }],
    ["that failed is still asked", failure(), { asked: true, silent: 0, mayBeAhead: false }],
    [
      "that throttles us is not asked, but could have said something",
      failure({ throttled: true, retryAfterMs: 60_000 }),
      { asked: false, silent: 1, mayBeAhead: false },
    ],
    ["whose block was refused has no voice", refused, { asked: false, silent: 0, mayBeAhead: false }],
    ["that is not trusted has no voice, but may be ahead", untrusted, { asked: false, silent: 0, mayBeAhead: true }],
  ])("one %s", async (_, error, expected) => {
    const [one, other] = [await nodeOn("a"), await nodeOn("a")];
    let now = 0;
    const pool = createNodePool([one, other], () => now);
    if (error) pool.setAside(other, error);
    const { ask, silent } = pool.witnesses(one);
    expect({ asked: ask.includes(other), silent, mayBeAhead: pool.others(one).includes(other) }).toEqual(expected);
    now += 60_000;
    expect(pool.witnesses(one)).toEqual({ ask: [other], silent: 0 });
  });
});

describe("a node whose head does not advance counts as lagging", () => {
  const cursor = { number: 7, hash: hashOf("a") };
  const seconds = async (other: Node, from: number, to: number) => {
    let now = 0;
    const lag = watchLag(1_000, () => now);
    const still = await nodeOn("a");
    for (let second = from; second <= to; second += 1) {
      now = second * 1_000;
      if (await lag.isBehind(cursor, still, [other])) return second;
    }
    return undefined;
  };

  test("soon if another has more blocks on top of the same one", async () => {
    expect(await seconds(await nodeOn("a", 9), 0, 10)).toBe(3);
  });

  test("not within a minute if the other is on another branch, however long", async () => {
    expect(await seconds(await nodeOn("b", 900), 0, 59)).toBeUndefined();
  });

  test("after more than a minute even then, since a chain that lives has moved by that time", async () => {
    expect(await seconds(await nodeOn("b", 900), 60, 200)).toBeLessThan(120);
  });

  test("never if the other has no more blocks", async () => {
    expect(await seconds(await nodeOn("b", 7), 0, 300)).toBeUndefined();
  });
});

test("of a range with very many hits the first are remembered, up to the last of them", async () => {
  const blocks = Array.from(
    { length: 5_000 },
    (_, index) => ({ number: index + 1, hash: hashOf("a"), digest: "" }) as const,
  );
  const hits = { to: 5_000, hash: hashOf("f"), blocks };
  const witness = (origin: string) => {
    const unused = () => Promise.reject(new Error("is not asked for"));
    return {
      origin,
      reader: { findHits: async () => hits, read: unused, cancel: () => undefined },
      failed: () => undefined,
      succeeded: () => undefined,
    };
  };
  const range = { from: 1, to: 5_000, lane: 1, interest: [] };
  const agreed = await agreedHits(range, [witness("one"), witness("other")], 2);
  if ("reason" in agreed) throw new Error(agreed.reason);
  expect(agreed.nodesAgreed).toBe(2);
  expect(agreed.blocks.length).toBeLessThan(500);
  expect(agreed.blocks).toEqual(blocks.slice(0, agreed.blocks.length));
  expect(agreed).toMatchObject({ to: agreed.blocks.at(-1)?.number, hash: agreed.blocks.at(-1)?.hash });
});

test("a node that is only ever asked for logs is set aside no longer for what it failed before its last answer", async () => {
  const [one, other] = [await nodeOn("a"), await nodeOn("a")];
  let now = 0;
  const nodes = createNodePool([one, other], () => now);
  let isAway = true;
  const readerOf = (node: Node): [Node, NodeReader] => {
    const unused = () => Promise.reject(new Error("is not asked for"));
    const findHits = async () => {
      if (isAway && node === other) throw new NodeError("no", { method: "eth_getLogs", origin: node.origin });
      return { to: 9, hash: hashOf("f"), blocks: [] };
    };
    return [node, { findHits, read: unused, cancel: () => undefined }];
  };
  const sources = nodeSources({
    ...{ chain: { ...testChain({ rpcUrl: one.origin }), rpcUrls: [one.origin, other.origin] }, nodes },
    ...{ readers: new Map([one, other].map(readerOf)), verify: async () => undefined },
  });
  const lane = {
    ...{ lag: watchLag(1_000), memory: { headers: new Map() } },
    record: { lane: { cursor: rival } },
  };
  const ask = () => sources.pick(lane)?.source.agreedHits?.({ from: 1, to: 9, lane: 1, interest: [] });
  for (let failures = 0; failures < 5; failures += 1) {
    expect(await ask()).toMatchObject({ isContradiction: false });
    now += 10_000;
  }
  isAway = false;
  expect(await ask()).toMatchObject({ nodesAgreed: 2 });
  isAway = true;
  await ask();
  expect(nodes.status()[1]?.aside).toBe(true);
  now += 300;
  expect(nodes.status()[1]?.aside).toBe(false);
});
