/** A block's receipts and traces are fetched by its hash, and a response about something else is an error. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { connectNode, type Node } from "../../../server/chain/nodes/node.ts";
import { believedRefusals, refusedForMs } from "../../../server/chain/nodes/node-limits.ts";
import {
  assertChain,
  fetchBlock,
  fetchHead,
  fetchReceiptsAndTraces,
  type Head,
  headOf,
} from "../../../server/chain/read/fetch.ts";
import { fetchHeadBlock } from "../../../server/chain/read/run.ts";
import type { BlockBundle, Hex } from "../../../server/matching/wire.ts";
import { rulesOf } from "../../../server/settings/chain-profiles.ts";
import { type RpcAnswer, type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";
import { testChain } from "../../support/service.ts";

const recorded = recordedBundle("mainnet-traced/19933122");
const { block, receipts } = recorded;
const unknownMethod: RpcAnswer = { error: { code: -32601, message: "the method does not exist" } };
const absent: Hex = `0x${"ab".repeat(32)}`;

let stub: RpcProxy;
let node: Node;
let over: AbortController;
beforeEach(async () => {
  stub = await startRpcProxy();
  stub.answer = ({ method, params }) => answerFrom(recorded, method, params);
  over = new AbortController();
  node = connectNode(stub.url, { signal: over.signal });
});
afterEach(async () => {
  over.abort();
  await stub.close();
});

const rest = (traces: boolean) => fetchReceiptsAndTraces(node, headOf(block), { traces });
const fetched = (ref: number | Hex) => fetchBlock(node, ref);

/** The responses of a node with this one block. */
function answerFrom(bundle: BlockBundle, method: string, [ref]: unknown[]): RpcAnswer {
  const known = ref === bundle.block.hash || ref === bundle.block.number || ref === "latest";
  if (method === "eth_getBlockByHash" || method === "eth_getBlockByNumber")
    return { result: known ? bundle.block : null };
  if (method === "eth_getBlockReceipts") return { result: known ? bundle.receipts : null };
  if (method === "debug_traceBlockByHash") return { result: known ? bundle.traces : null };
  if (method === "eth_getTransactionReceipt")
    return { result: bundle.receipts.find(({ transactionHash }) => transactionHash === ref) ?? null };
  return unknownMethod;
}

test("receipts are fetched by the block's hash, and traces only when they are wanted", async () => {
  expect(await rest(false)).toEqual({ receipts });
  expect(stub.calls).toEqual([{ method: "eth_getBlockReceipts", params: [block.hash] }]);
  expect(await rest(true)).toEqual({ receipts, traces: recorded.traces });
  expect(stub.calls.at(-1)).toEqual({
    method: "debug_traceBlockByHash",
    params: [block.hash, { tracer: "callTracer" }],
  });
});

describe.each([-32601, -32004])("a node that returns %d to eth_getBlockReceipts", (code) => {
  let lacks = true;
  beforeEach(() => {
    const whole = stub.answer;
    lacks = true;
    stub.answer = (call, forward) =>
      lacks && call.method === "eth_getBlockReceipts"
        ? { error: { code, message: "the method does not exist" } }
        : whole(call, forward);
  });
  afterEach(() => void vi.restoreAllMocks());

  test("returns receipts one by one, and the method is not retried immediately", async () => {
    expect(await rest(false)).toEqual({ receipts });
    expect(await rest(false)).toEqual({ receipts });
    expect(stub.count("eth_getBlockReceipts")).toBe(believedRefusals);
    expect(stub.count("eth_getTransactionReceipt")).toBe(2 * receipts.length);
  });

  test("is retried after minutes, and used once it knows the method", async () => {
    let later = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + later);
    await rest(false);
    later = refusedForMs;
    await rest(false);
    expect(stub.count("eth_getBlockReceipts")).toBe(believedRefusals + 1);
    expect(stub.count("eth_getTransactionReceipt")).toBe(2 * receipts.length);
    lacks = false;
    later += refusedForMs;
    expect(await rest(false)).toEqual({ receipts });
    expect(await rest(false)).toEqual({ receipts });
    expect(stub.count("eth_getBlockReceipts")).toBe(believedRefusals + 3);
    expect(stub.count("eth_getTransactionReceipt")).toBe(2 * receipts.length);
  });
});

describe("one of several nodes behind an address that lacks eth_getBlockReceipts", () => {
  /** @param lacks whether the nth request for all receipts gets to that node */
  function withLacking(lacks: (nth: number) => boolean): void {
    stub.answer = ({ method, params }) =>
      method === "eth_getBlockReceipts" && lacks(stub.count(method))
        ? unknownMethod
        : answerFrom(recorded, method, params);
  }

  test("is not taken for all of them", async () => {
    withLacking((nth) => nth % 3 === 1);
    for (let block = 0; block < 5; block += 1) expect(await rest(false)).toEqual({ receipts });
    expect(stub.count("eth_getTransactionReceipt")).toBe(0);
    expect(stub.count("eth_getBlockReceipts")).toBeLessThanOrEqual(10);
  });

  test("costs one block its receipts one by one where it was asked several times in a row", async () => {
    withLacking((nth) => nth > 1 && nth <= 1 + believedRefusals);
    for (let block = 0; block < 3; block += 1) expect(await rest(false)).toEqual({ receipts });
    expect(stub.count("eth_getTransactionReceipt")).toBe(receipts.length);
    expect(stub.count("eth_getBlockReceipts")).toBe(believedRefusals + 2);
  });
});

describe("what has arrived of a block", () => {
  test("is not asked for again when another of its receipts fails", async () => {
    node.refused.refused("eth_getBlockReceipts");
    node.refused.refused("eth_getBlockReceipts");
    node.refused.refused("eth_getBlockReceipts");
    const last = receipts.at(-1)?.transactionHash;
    const whole = stub.answer;
    stub.answer = (call, forward) => (call.params[0] === last ? { result: null } : whole(call, forward));
    await expect(rest(false)).rejects.toThrow(`no receipt of ${last}`);
    stub.answer = whole;
    stub.calls.length = 0;
    expect(await rest(false)).toEqual({ receipts });
    expect(stub.calls.length).toBeLessThan(receipts.length);
    // A complete block is fetched again, since a check may have refused it.
    stub.calls.length = 0;
    expect(await rest(false)).toEqual({ receipts });
    expect(stub.count("eth_getTransactionReceipt")).toBe(receipts.length);
  });

  test("stays when its traces fail, and its traces when receipts do", async () => {
    const whole = stub.answer;
    for (const [fails, arrives] of [
      ["debug_traceBlockByHash", "eth_getBlockReceipts"],
      ["eth_getBlockReceipts", "debug_traceBlockByHash"],
    ] as const) {
      let release = () => {};
      const other = new Promise<void>((resolve) => {
        release = resolve;
      });
      stub.answer = async (call, forward) => {
        if (call.method === fails) {
          await other;
          return { error: { code: -32000, message: "not now" } };
        }
        // The failure follows once this has arrived.
        setTimeout(release, 100);
        return whole(call, forward);
      };
      await expect(rest(true)).rejects.toThrow("not now");
      stub.answer = whole;
      stub.calls.length = 0;
      expect(await rest(true)).toEqual({ receipts, traces: recorded.traces });
      expect(stub.count(fails)).toBe(1);
      expect(stub.count(arrives)).toBe(0);
    }
  });

  test("is dropped where it is of another block", async () => {
    for (let times = 0; times < believedRefusals; times += 1) node.refused.refused("eth_getBlockReceipts");
    const [first, second] = receipts;
    const whole = stub.answer;
    stub.answer = (call, forward) => {
      if (call.params[0] === first?.transactionHash) return { result: { ...first, blockHash: absent } };
      return call.params[0] === second?.transactionHash ? { result: null } : whole(call, forward);
    };
    await expect(rest(false)).rejects.toThrow("no receipt of");
    stub.answer = whole;
    expect(await rest(false)).toEqual({ receipts });
  });
});

test("another error of eth_getBlockReceipts fails the read, and the method is tried again", async () => {
  stub.answer = () => ({ error: { code: -32005, message: "too many requests" } });
  await expect(rest(false)).rejects.toMatchObject({
    name: "NodeError",
    rpcCode: -32005,
  });
  stub.answer = ({ method, params }) => answerFrom(recorded, method, params);
  await rest(false);
  expect(stub.count("eth_getTransactionReceipt")).toBe(0);
});

test("a block without transactions needs no receipts and no traces", async () => {
  const empty = recordedBundle("mainnet-traced/19910734").block;
  expect(await fetchReceiptsAndTraces(node, headOf(empty), { traces: true })).toEqual({ receipts: [], traces: [] });
  expect(stub.calls).toEqual([]);
});

describe("null is an error", () => {
  test.each([
    ["eth_getBlockReceipts", `no receipts of block ${block.hash}`],
    ["debug_traceBlockByHash", `no traces of block ${block.hash}`],
  ])("from %s", async (method, reason) => {
    const whole = stub.answer;
    stub.answer = (call, forward) => (call.method === method ? { result: null } : whole(call, forward));
    await expect(rest(true)).rejects.toThrow(`${method} at ${stub.url}: ${reason}`);
  });

  test("from eth_getTransactionReceipt", async () => {
    stub.answer = ({ method }) => (method === "eth_getBlockReceipts" ? unknownMethod : { result: null });
    await expect(rest(false)).rejects.toThrow("no receipt of 0x");
  });
});

test("a block that the node does not have is undefined", async () => {
  expect(await fetched(absent)).toBeUndefined();
  expect(await fetched(7)).toBeUndefined();
  expect(await fetchHead(node, "finalized")).toBeUndefined();
});

test("hashes come in lower case", async () => {
  const hash = `0x${block.hash.slice(2).toUpperCase()}` as Hex;
  stub.answer = () => ({ result: { ...block, hash } });
  expect((await fetched(block.hash))?.hash).toBe(block.hash);
  expect((await fetchHead(node, "latest"))?.hash).toBe(block.hash);
});

test.each<[string, unknown, string]>([
  ["an empty object", {}, "its hash is absent"],
  ["a text", "0x1", 'it returned "0x1"'],
  ["a block without a hash, as of a pending one", { ...block, hash: null }, "its hash is null"],
  ["a block with a hash that is none", { ...block, hash: "0x12" }, 'its hash is "0x12"'],
  ["a block without a parent", { ...block, parentHash: undefined }, "its parentHash is absent"],
  ["a block without a list of transactions", { ...block, transactions: null }, "its transactions is null"],
  ["a block whose number is none", { ...block, number: "latest" }, 'its number is "latest"'],
  ["a block whose number is in decimal", { ...block, number: "12" }, 'its number is "12"'],
])("%s is no block, and the error says why", async (_, result, reason) => {
  stub.answer = () => ({ result });
  await expect(fetchHead(node, "latest")).rejects.toThrow(`no block: ${reason}`);
  await expect(fetched(block.hash)).rejects.toThrow(`no block: ${reason}`);
});

test.each([
  ["with zeros in front", `0x00${block.number.slice(2)}`],
  ["as a JSON number", Number(block.number)],
])("a block's number is read %s", async (_, number) => {
  stub.answer = () => ({ result: { ...block, number } });
  expect(await fetchHead(node, "latest")).toMatchObject({ number: Number(block.number) });
  expect(await fetched(Number(block.number))).toMatchObject({ number: block.number });
});

test("another block than the requested one is an error", async () => {
  stub.answer = () => ({ result: block });
  await expect(fetched(7)).rejects.toThrow(`returned block ${block.number}, ${block.hash}, instead of block 7`);
  await expect(fetched(absent)).rejects.toThrow(`instead of block ${absent}`);
});

test("a node of another chain is refused", async () => {
  stub.answer = () => ({ result: "0xa869" });
  await expect(assertChain(node, "43113")).resolves.toBeUndefined();
  await expect(assertChain(node, "43114")).rejects.toThrow("it is a node of chain 43113, not 43114");
  for (const result of ["0x0000a869", 43113]) {
    stub.answer = () => ({ result });
    await expect(assertChain(node, "43113")).resolves.toBeUndefined();
  }
  stub.answer = () => ({ result: "mainnet" });
  await expect(assertChain(node, "1")).rejects.toThrow('no chain: it returned "mainnet"');
});

describe("the head's block, fetched with its receipts and traces in one round", () => {
  const chain = testChain({ rpcUrl: "http://127.0.0.1:1" });
  const rules = rulesOf({ ...chain, chainId: "1", checks: { receipts: "off", receiptsRoot: "off", bloom: "off" } });
  const context = () => ({ chainId: "1", rules, node, traces: true, onSkippedCheck: () => undefined });
  const fetchHead = (head: Partial<Head>) => fetchHeadBlock(context(), { ...headOf(block), ...head });

  test("has what the block has, even if the head named other transactions, or none", async () => {
    const [expected] = await fetchHead({});
    for (const transactionHashes of [[], [absent]]) {
      const [actual] = await fetchHead({ transactionHashes });
      expect(actual?.participants).toEqual(expected?.participants);
      expect(await actual?.pack()).toEqual(await expected?.pack());
    }
  });

  test("has what the block has if its transactions are not known, also from a node that has receipts one by one only", async () => {
    const [expected] = await fetchHead({});
    const announced = { number: Number(block.number), hash: block.hash, parentHash: block.parentHash };
    const fetchAnnounced = async () => (await fetchHeadBlock(context(), announced))[0]?.pack();
    expect(await fetchAnnounced()).toEqual(await expected?.pack());
    for (let times = 0; times < believedRefusals; times += 1) node.refused.refused("eth_getBlockReceipts");
    expect(await fetchAnnounced()).toEqual(await expected?.pack());
  });

  test("is refused with another number than the head's", async () => {
    await expect(fetchHead({ number: Number(block.number) + 1 })).rejects.toThrow("has number 19933122");
  });

  test("is an error if the node lacks it", async () => {
    await expect(fetchHead({ hash: absent })).rejects.toThrow(/no (block|receipts|traces)/);
  });
});
