/** How a node is asked for tokens: together where that works, alone where one contract spoils it, and not believed where it has no state. */
import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from "viem";
import { expect, it } from "vitest";
import { type Node, NodeError } from "../../../server/chain/nodes/node.ts";
import { LogRanges, RefusedMethods } from "../../../server/chain/nodes/node-limits.ts";
import { askContracts } from "../../../server/chain/tokens/ask-contracts.ts";
import { multicall3 } from "../../../server/chain/tokens/multicall.ts";
import { askingTimes } from "../../../server/chain/tokens/token-reader.ts";
import { numberAnswer, stringAnswer } from "../../support/made-token.ts";

const origin = "http://node";
const failure = (reason: string, more: object = {}) => new NodeError(reason, { method: "eth_call", origin, ...more });
const signal = new AbortController().signal;
const contracts = Array.from({ length: 5 }, (_, index): Hex => `0x${String(index + 1).padStart(40, "a")}`);

type Asked = { to: string; at: string };

/** @param answer of one contract to one selector @param together answers through multicall; by default there is none */
function madeNode(
  answer: (to: string, selector: string, at: string) => Hex,
  together?: (to: string, selector: string) => Hex | undefined,
): { node: Node; asked: Asked[] } {
  const asked: Asked[] = [];
  const multicall = (data: Hex): Hex => {
    if (!together) return "0x";
    const { args } = decodeFunctionData({ abi: [multicall3Abi[0]], data });
    const [calls] = args;
    const result = calls.map(({ target, callData }) => {
      const returnData = together(target.toLowerCase(), callData);
      return { success: returnData !== undefined, returnData: returnData ?? "0x" };
    });
    return encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result });
  };
  const node: Node = {
    ...{ origin, cancel: () => undefined, refused: new RefusedMethods(), logRanges: new LogRanges() },
    async request<T>(_method: string, params: readonly unknown[]) {
      const [{ to, data }, at] = params as [{ to: Hex; data: Hex }, string];
      asked.push({ to, at });
      return (to === multicall3 ? multicall(data) : answer(to, data, at)) as T;
    },
  };
  return { node, asked };
}

const good = (_to: string, selector: string): Hex =>
  selector === "0x313ce567" ? numberAnswer(6) : stringAnswer("Some");
const read = { name: "Some", symbol: "Some", decimals: 6 };
const ask = (node: Node, which: readonly string[] = contracts) => askContracts(node, which, { block: 16, signal });

it("few contracts are asked one by one, at the block", async () => {
  const { node, asked } = madeNode(good);
  expect(await ask(node, contracts.slice(0, 2))).toEqual(new Map(contracts.slice(0, 2).map((each) => [each, read])));
  expect(asked.every(({ to, at }) => to !== multicall3 && at === "0x10")).toBe(true);
});

it("more are asked in one call", async () => {
  const { node, asked } = madeNode(() => "0x", good);
  expect(await ask(node)).toEqual(new Map(contracts.map((each) => [each, read])));
  expect(asked.slice(1)).toEqual([{ to: multicall3, at: "0x10" }]);
});

it("what fails together is asked alone", async () => {
  const { node, asked } = madeNode(good, (to, selector) => (to === contracts[1] ? undefined : good(to, selector)));
  expect(await ask(node)).toEqual(new Map(contracts.map((each) => [each, read])));
  expect(asked.filter(({ to }) => to === contracts[1])).toHaveLength(3);
});

it("without a multicall, all are", async () => {
  expect((await ask(madeNode(good).node)).size).toBe(contracts.length);
});

it.each([
  ["execution reverted", { code: 3 }],
  ["out of gas", { code: -32000 }],
  ["EVM error OutOfGas", { code: -32603 }],
  ["invalid opcode: INVALID", { code: -32000 }],
])("a contract that fails with %s says nothing, and that is known", async (reason, more) => {
  const { node } = madeNode((to) => {
    if (to === contracts[0]) throw failure(reason, more);
    return "0x";
  });
  expect(await ask(node, contracts.slice(0, 1))).toEqual(
    new Map([[contracts[0], { name: null, symbol: null, decimals: null }]]),
  );
});

it.each([
  ["execution aborted (timeout = 5s)", { code: -32000 }],
  ["limit exceeded", { code: -32005, throttled: true as const }],
  ["no response in time", { unanswered: "timed out" as const }],
  ["header not found", { code: -32000 }],
])("a node that fails with %s says nothing of the contract", async (reason, more) => {
  const { node } = madeNode((to) => {
    if (to === contracts[0]) throw failure(reason, more);
    return good(to, "0x06fdde03");
  });
  expect(await ask(node, contracts.slice(0, 2))).toEqual(new Map([[contracts[1], { ...read, decimals: 32 }]]));
});

it("a node without the block's state is asked at its newest block, where a contract that it lacks is not believed", async () => {
  const { node, asked } = madeNode((to, selector, at) => {
    if (at !== "latest") throw failure("missing trie node", { code: -32000 });
    return to === contracts[0] ? "0x" : good(to, selector);
  });
  expect(await ask(node, contracts.slice(0, 2))).toEqual(new Map([[contracts[1], read]]));
  expect(asked.at(-1)?.at).toBe("latest");
});

it("a node that is away is an error", async () => {
  const { node } = madeNode(() => {
    throw failure("connect ECONNREFUSED");
  });
  await expect(ask(node)).rejects.toThrow("ECONNREFUSED");
});

it("a contract that could not be asked is asked again later, and later still", () => {
  let now = 0;
  const times = askingTimes(() => now);
  const mayAsk = () => times.mayAsk("0x1");
  times.begin(["0x1"]);
  expect(mayAsk()).toBe(false);
  times.asked(["0x1"], new Set());
  for (const ms of [10_000, 20_000, 40_000]) {
    now += ms - 1;
    expect(mayAsk()).toBe(false);
    now += 1;
    expect(mayAsk()).toBe(true);
    times.asked(["0x1"], new Set());
  }
  now += 100_000_000;
  times.noNode(["0x1"]);
  expect(mayAsk()).toBe(false);
  expect(times.mayAsk("0x2")).toBe(false);
  now += 5_000;
  expect(mayAsk()).toBe(true);
});
