/** What goes wrong with nodes, each as a way to answer a call: not at all, late, of something else, or not all of it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RpcAnswer, RpcCall } from "../support/rpc-proxy.ts";

/** A way to answer calls wrongly. */
export type Fault = {
  /** The methods that it is a fault of. */
  asked: RegExp;
  /** @returns undefined where this call cannot be answered wrongly in this way */
  answer(call: RpcCall, forward: () => Promise<RpcAnswer>, dice: Dice): Promise<RpcAnswer | undefined>;
};

/** Gives a whole number below its argument. */
export type Dice = (below: number) => number;

type Item = Record<string, unknown>;
type Block = Item & { transactions: Item[] };
type Receipt = Item & { logs: Item[] };

const anything = /./;
const always = (answer: RpcAnswer): Fault => ({ asked: anything, answer: async () => answer });

/** Changes the answer to one kind of call. `change` returns undefined where there is nothing to change. */
function changing<T>(asked: RegExp, change: (result: T, dice: Dice, call: RpcCall) => unknown): Fault {
  return {
    asked,
    async answer(call, forward, dice) {
      const answer = await forward();
      if (typeof answer !== "object" || !("result" in answer) || answer.result === null) return undefined;
      const result = change(structuredClone(answer.result) as T, dice, call);
      return result === undefined ? undefined : { result };
    },
  };
}

const blocks = /^eth_getBlockBy/;
const receipts = /^eth_getBlockReceipts$/;
const traces = /^debug_traceBlockByHash$/;
const otherHash = `0x${"ab".repeat(32)}`;

/** The number of a block one lower, in hex. */
const lower = (number: unknown) => `0x${Math.max(0, Number(number) - 1).toString(16)}`;

/** By the name under which a run counts them. */
export const faults: Readonly<Record<string, Fault>> = {
  error: always({ error: { code: -32603, message: "internal error" } }),
  unavailable: always({ status: 502, text: "<html>bad gateway</html>" }),
  throttled: always({ error: { code: -32005, message: "limit exceeded" } }),
  tooMany: always({ status: 429, text: "slow down", headers: { "retry-after": "1" } }),
  truncated: always({ status: 200, text: '[{"jsonrpc":"2.0","id":0,"result":{"number":"0x' }),
  nothing: always({ result: null }),
  cut: always("cut"),
  slow: {
    asked: anything,
    async answer(_call, forward, dice) {
      await sleep(100 + dice(400));
      return forward();
    },
  },
  otherChain: changing(/^eth_chainId$/, () => "0x1"),
  noBlocks: changing(blocks, () => "a block"),
  otherBlock: changing<Block>(blocks, (block, _dice, { method }) =>
    method === "eth_getBlockByNumber" ? { ...block, number: lower(block.number) } : { ...block, hash: otherHash },
  ),
  otherParent: changing<Block>(blocks, (block) => ({ ...block, parentHash: otherHash })),
  otherTransaction: changing<Block>(blocks, (block) => {
    const [first, ...others] = block.transactions;
    return typeof first === "object" ? { ...block, transactions: [{ ...first, value: "0x5" }, ...others] } : undefined;
  }),
  fewerTransactions: changing<Block>(blocks, (block) =>
    block.transactions.length > 0 ? { ...block, transactions: block.transactions.slice(1) } : undefined,
  ),
  fewerReceipts: changing<Receipt[]>(receipts, (all) => all.slice(1)),
  repeatedReceipt: changing<Receipt[]>(receipts, (all) => [...all, ...all.slice(-1)]),
  withoutLogs: changing<Receipt[]>(receipts, (all) =>
    all.some(({ logs }) => logs.length > 0) ? all.map((receipt) => ({ ...receipt, logs: [] })) : undefined,
  ),
  otherLogs: changing<Receipt[]>(receipts, (all) =>
    all.some(({ logs }) => logs.length > 0)
      ? all.map((receipt) => ({
          ...receipt,
          logs: receipt.logs.map((log) => ({ ...log, data: `0x${"00".repeat(31)}07` })),
        }))
      : undefined,
  ),
  ofOtherBlock: changing<Receipt[]>(receipts, (all) => all.map((receipt) => ({ ...receipt, blockHash: otherHash }))),
  fewerTraces: changing<Item[]>(traces, (all) => all.slice(1)),
  failedTraces: changing<Item[]>(traces, (all) => all.map(({ txHash }) => ({ txHash, error: "execution timeout" }))),
};

/** What the service is to bear: every long run must have at least one of each kind. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  errors: ["error", "unavailable"],
  throttling: ["throttled", "tooMany"],
  hangs: ["hang"],
  "truncated JSON": ["truncated"],
  nulls: ["nothing"],
  "cut connections": ["cut"],
  "old heads": ["oldHead"],
  "missing logs or receipts": ["withoutLogs", "fewerReceipts"],
  "wrong receipts": ["otherLogs", "ofOtherBlock", "repeatedReceipt"],
  "wrong blocks": ["noBlocks", "otherBlock", "otherParent"],
  "wrong transactions": ["otherTransaction", "fewerTransactions"],
  "wrong traces": ["fewerTraces", "failedTraces"],
  "slow answers": ["slow"],
  "socket drops": ["socketDrop"],
};

/** @param had how often each fault came */
export function missingKinds(had: ReadonlyMap<string, number>): string[] {
  return Object.keys(kinds).filter((kind) => !kinds[kind]?.some((name) => had.has(name)));
}
