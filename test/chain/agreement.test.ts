/** Who is believed when nodes differ: by how many have a block, how many have another, and how many cannot say. */
import { afterEach, describe, expect, test } from "vitest";
import { BlockRefusedError } from "../../server/chain/check/refused.ts";
import { isAgreedOn, silenceMs } from "../../server/chain/follow/agreement.ts";
import { watchLag } from "../../server/chain/follow/lag.ts";
import { connectNode, type Node, NodeError } from "../../server/chain/nodes/node.ts";
import { createNodePool } from "../../server/chain/nodes/node-pool.ts";
import { NotBelievedError } from "../../server/chain/nodes/untrusted-node.ts";
import { type RpcProxy, startRpcProxy } from "../support/rpc-proxy.ts";

const hashOf = (branch: string) => `0x${branch.repeat(64)}`;
const rival = { number: 7, hash: hashOf("b") };

let over = new AbortController();
const stubs: RpcProxy[] = [];
afterEach(async () => {
  over.abort();
  over = new AbortController();
  for (const stub of stubs.splice(0)) await stub.close();
});

/** A node on a branch, up to a head; without a branch it does not answer. */
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

describe("a block that contradicts what was recorded, told of by one node, is", () => {
  test.each<[string, (string | undefined)[], number, boolean | undefined]>([
    ["believed of the only node", [], 0, true],
    ["believed when another has it", ["b"], 0, true],
    ["not believed when another has another", ["a"], 0, false],
    ["believed when two of three have it", ["a", "b"], 0, true],
    ["not believed when two of three have another", ["a", "a"], 0, false],
    ["believed when two of three have it and the third does not answer", ["b", undefined], 0, true],
    ["not believed yet when the other does not answer", [undefined], 0, undefined],
    ["not believed yet when two others do not answer", [undefined, undefined], 0, undefined],
    ["not believed yet when two others asked to be left alone", [], 2, undefined],
    ["not believed when one has another and one does not answer", ["a", undefined], 0, false],
  ])("%s", async (_, others, silent, expected) => {
    const ask = await Promise.all(others.map((branch) => nodeOn(branch)));
    expect(await isAgreedOn(rival, { ask, silent }, silenceMs - 1)).toBe(expected);
    // In the end one good node is enough, and a denial is one for ever.
    expect(await isAgreedOn(rival, { ask, silent }, silenceMs)).toBe(expected ?? true);
  });
});

describe("of the others", () => {
  const failure = (more = {}) => new NodeError("no", { method: "eth_any", origin: "http://node", ...more });
  const refused = new BlockRefusedError([{ check: "bloom", reason: "is wrong" }], {
    block: { number: "0x7", hash: "0x" },
    node: "http://node",
  });
  const notBelieved = new NotBelievedError("it lags", { method: "eth_any", origin: "http://node" });

  test.each([
    ["that is there has a voice, and may be ahead", undefined, { asked: true, silent: 0, mayBeAhead: true }],
    ["that failed is asked all the same", failure(), { asked: true, silent: 0, mayBeAhead: false }],
    [
      "that wants to be left alone is not asked, but could have said something",
      failure({ throttled: true, retryAfterMs: 60_000 }),
      { asked: false, silent: 1, mayBeAhead: false },
    ],
    ["whose block was refused has no voice", refused, { asked: false, silent: 0, mayBeAhead: false }],
    [
      "that was not believed has no voice, but may be ahead",
      notBelieved,
      { asked: false, silent: 0, mayBeAhead: true },
    ],
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

describe("a node that does not move is taken to lag", () => {
  const cursor = { number: 7, hash: hashOf("a") };
  const seconds = async (other: Node, from: number, to: number) => {
    let now = 0;
    const lag = watchLag(1_000, () => now);
    const still = await nodeOn("a");
    for (let second = from; second <= to; second += 1) {
      now = second * 1_000;
      if (await lag.stood(cursor, still, [other])) return second;
    }
    return undefined;
  };

  test("soon where another has more blocks behind the same one", async () => {
    expect(await seconds(await nodeOn("a", 9), 0, 10)).toBe(3);
  });

  test("not within a minute where the other is of another branch, however long that is", async () => {
    expect(await seconds(await nodeOn("b", 900), 0, 59)).toBeUndefined();
  });

  test("after more than a minute even then, since a chain that lives has moved by that time", async () => {
    expect(await seconds(await nodeOn("b", 900), 60, 200)).toBeLessThan(120);
  });

  test("never where the other has no more than it", async () => {
    expect(await seconds(await nodeOn("b", 7), 0, 300)).toBeUndefined();
  });
});
