/** Real blocks pass the checks; each way of spoiling one is caught by the check that is there for it. */
import { expect, test } from "vitest";
import { CheckError, checkBundle } from "../../server/chain/checks.ts";
import type { BlockBundle, Hex, WireLog, WireReceipt } from "../../server/matching/wire.ts";
import { recordedBlocks, recordedBundle } from "../support/recorded.ts";

const withLogs = "mainnet/4662649";
const traced = "mainnet-traced/9069000";
const other: Hex = `0x${"ab".repeat(32)}`;

/** The check that catches what was done to a recorded block. */
function caughtBy(name: string, spoil: (bundle: BlockBundle) => void, off: "receipts"[] = []): string {
  const bundle = structuredClone(recordedBundle(name));
  spoil(bundle);
  try {
    checkBundle(bundle, Object.fromEntries(off.map((check) => [check, "off"])));
  } catch (error) {
    if (error instanceof CheckError) return error.check;
    throw error;
  }
  return "none";
}

function receiptWithLogs({ receipts }: BlockBundle, atLeast = 1): WireReceipt {
  const found = receipts.find(({ logs }) => logs.length >= atLeast);
  if (!found) throw new Error("no receipt has logs");
  return found;
}

function firstLog(bundle: BlockBundle): WireLog {
  const [log] = receiptWithLogs(bundle).logs;
  if (!log) throw new Error("no log");
  return log;
}

test.each(recordedBlocks())("the recorded block $name passes every check", ({ bundle }) => {
  expect(() => checkBundle(bundle)).not.toThrow();
});

test("the letter case of hashes does not count", () => {
  const upper = (hash: Hex): Hex => `0x${hash.slice(2).toUpperCase()}`;
  const check = caughtBy(traced, ({ block, receipts, traces }) => {
    block.logsBloom = upper(block.logsBloom);
    for (const receipt of receipts) receipt.transactionHash = upper(receipt.transactionHash);
    for (const trace of traces ?? []) if (trace.txHash) trace.txHash = upper(trace.txHash);
  });
  expect(check).toBe("none");
});

test.each<[string, (bundle: BlockBundle) => void]>([
  ["a receipt is missing", ({ receipts }) => void receipts.pop()],
  ["all receipts are missing", ({ receipts }) => void receipts.splice(0)],
  ["a receipt is there twice", ({ receipts }) => receipts.splice(1, 1, receipts[0] as WireReceipt)],
  ["receipts are in another order", ({ receipts }) => void receipts.reverse()],
  ["a receipt has no logs", ({ receipts }) => void Object.assign(receipts[0] ?? {}, { logs: null })],
  ["a receipt is of another block", (bundle) => void Object.assign(receiptWithLogs(bundle), { blockHash: other })],
])("receipts catches that %s", (_, spoil) => {
  expect(caughtBy(withLogs, spoil)).toBe("receipts");
});

test.each<[string, (bundle: BlockBundle) => void]>([
  ["a log is missing", (bundle) => void receiptWithLogs(bundle, 2).logs.shift()],
  ["a log is there twice", (bundle) => void receiptWithLogs(bundle).logs.push(firstLog(bundle))],
  ["logs are in another order", (bundle) => void receiptWithLogs(bundle, 2).logs.reverse()],
  ["indexes begin again in each transaction", ({ receipts }) => renumberEach(receipts)],
])("logIndex catches that %s", (_, spoil) => {
  expect(caughtBy("mainnet/20000000", spoil)).toBe("logIndex");
});

test.each<[string, (bundle: BlockBundle) => void]>([
  ["all logs were left out", ({ receipts }) => void receipts.map(({ logs }) => logs.splice(0))],
  ["the last logs were left out", ({ receipts }) => void receipts.findLast(({ logs }) => logs.length > 0)?.logs.pop()],
  [
    "a log was emitted elsewhere",
    (bundle) => void Object.assign(firstLog(bundle), { address: `0x${"cd".repeat(20)}` }),
  ],
  ["a log has another topic", (bundle) => void firstLog(bundle).topics.splice(0, 1, other)],
])("bloom catches that %s", (_, spoil) => {
  expect(caughtBy("mainnet/20000000", spoil)).toBe("bloom");
});

test("bloom catches that there is none", () => {
  expect(caughtBy(withLogs, ({ block }) => void Object.assign(block, { logsBloom: null }))).toBe("bloom");
});

test("bloom catches that a block with logs came without its transactions", () => {
  const spoil = ({ block, receipts }: BlockBundle) => {
    block.transactions = [];
    receipts.splice(0);
  };
  expect(caughtBy(withLogs, spoil)).toBe("bloom");
});

test.each<[string, (bundle: BlockBundle) => void]>([
  ["a trace is missing", ({ traces }) => void traces?.pop()],
  ["traces are in another order", ({ traces }) => void traces?.reverse()],
  ["the node gave one up", ({ traces }) => void traces?.splice(0, 1, { error: "execution timeout" })],
])("traces catches that %s", (_, spoil) => {
  expect(caughtBy(traced, spoil)).toBe("traces");
});

test("a check that is off catches nothing, and the others go on", () => {
  const wrongBlock = ({ receipts }: BlockBundle) => {
    for (const receipt of receipts) receipt.blockHash = other;
  };
  expect(caughtBy(withLogs, wrongBlock)).toBe("receipts");
  expect(caughtBy(withLogs, wrongBlock, ["receipts"])).toBe("none");
  const alsoLogs = (bundle: BlockBundle) => {
    wrongBlock(bundle);
    for (const { logs } of bundle.receipts) logs.splice(0);
  };
  expect(caughtBy(withLogs, alsoLogs, ["receipts"])).toBe("bloom");
});

function renumberEach(receipts: WireReceipt[]): void {
  for (const { logs } of receipts) for (const [index, log] of logs.entries()) log.logIndex = `0x${index.toString(16)}`;
}
