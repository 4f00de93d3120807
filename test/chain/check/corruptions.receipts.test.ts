/** Each way of spoiling the receipts of a real block is caught by the check that is there for it, which the error names. */
import { expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import {
  assertCaught,
  type Corruption,
  firstLog,
  otherAddress,
  otherHash,
  receiptAt,
  refusal,
  renumber,
  withLogs,
} from "./spoil.ts";

const plain = "mainnet/20000000";
const young = "mainnet/22869878";
const old = "mainnet/4369999";

test.each<Corruption>([
  ["receipts", "a receipt is missing", plain, ({ receipts }) => receipts.pop()],
  ["receipts", "all receipts are missing", plain, ({ receipts }) => receipts.splice(0)],
  ["receipts", "one stands where another should", plain, (b) => b.receipts.splice(1, 1, receiptAt(b, 0))],
  ["receipts", "they are in another order", plain, ({ receipts }) => receipts.reverse()],
  ["receipts", "one has no list of logs", plain, (b) => Object.assign(receiptAt(b, 0), { logs: null })],
  ["receipts", "one is of another block", plain, (b) => Object.assign(receiptAt(b, 3), { blockHash: otherHash })],
  ["receipts", "one says another index", plain, (b) => Object.assign(receiptAt(b, 3), { transactionIndex: "0x4" })],
  ["receipts", "one says another sender", plain, (b) => Object.assign(receiptAt(b, 3), { from: otherAddress })],
  ["receipts", "one says another receiver", plain, (b) => Object.assign(receiptAt(b, 3), { to: otherAddress })],
  ["receipts", "one says another type", plain, (b) => Object.assign(receiptAt(b, 0), { type: "0x1" })],
  [
    "receipts",
    "a log is of another transaction",
    plain,
    (b) => Object.assign(firstLog(b), { transactionHash: otherHash }),
  ],
  ["receipts", "a log is of another block", plain, (b) => Object.assign(firstLog(b), { blockHash: otherHash })],

  ["logIndex", "a log is missing", plain, (b) => withLogs(b, 2).logs.shift()],
  ["logIndex", "a log is there twice", plain, (b) => withLogs(b).logs.push(firstLog(b))],
  ["logIndex", "logs are in another order", plain, (b) => withLogs(b, 2).logs.reverse()],
  [
    "logIndex",
    "they start from 0 in each transaction",
    plain,
    ({ receipts }) =>
      receipts.map(({ logs }) => logs.map((log, at) => Object.assign(log, { logIndex: `0x${at.toString(16)}` }))),
  ],

  ["bloom", "all logs were left out", plain, ({ receipts }) => receipts.map(({ logs }) => logs.splice(0))],
  ["bloom", "the last logs were left out", plain, (b) => b.receipts.findLast(({ logs }) => logs.length)?.logs.pop()],
  [
    "bloom",
    "logs were left out, and all receipts agree",
    plain,
    (b) => b.receipts.map((r) => Object.assign(r, { logs: [], logsBloom: null })),
  ],
  ["bloom", "a log was emitted elsewhere", plain, (b) => Object.assign(firstLog(b), { address: otherAddress })],
  ["bloom", "a log has another topic", plain, (b) => firstLog(b).topics.splice(0, 1, otherHash)],
  [
    "bloom",
    "the header has another block's",
    plain,
    ({ block }) => Object.assign(block, { logsBloom: recordedBundle(young).block.logsBloom }),
  ],
  ["bloom", "the header has none", plain, ({ block }) => Object.assign(block, { logsBloom: null })],
  [
    "bloom",
    "a receipt has another's",
    plain,
    (b) => Object.assign(withLogs(b), { logsBloom: `0x${"00".repeat(256)}` }),
  ],
  [
    "bloom",
    "the block came without its transactions",
    plain,
    ({ block, receipts }) => [block.transactions.splice(0), receipts.splice(0)],
  ],

  [
    "receiptsRoot",
    "a failure is reported as a success",
    plain,
    (b) => Object.assign(b.receipts.find(({ status }) => status === "0x0") ?? {}, { status: "0x1" }),
  ],
  ["receiptsRoot", "a log's data are others", plain, (b) => Object.assign(firstLog(b), { data: otherHash })],
  ["receiptsRoot", "gas used is another", plain, (b) => Object.assign(receiptAt(b, 4), { gasUsed: "0x1" })],
  [
    "receiptsRoot",
    "all gas is counted another way",
    plain,
    ({ receipts }) =>
      receipts.map((r) =>
        Object.assign(r, {
          cumulativeGasUsed: `0x${(BigInt(r.cumulativeGasUsed) + 1n).toString(16)}`,
          ...(r.transactionIndex === "0x0" && { gasUsed: `0x${(BigInt(r.gasUsed) + 1n).toString(16)}` }),
        }),
      ),
  ],
  [
    "receiptsRoot",
    "a contract is another",
    "mainnet/4662649",
    (b) =>
      Object.assign(b.receipts.find(({ contractAddress }) => contractAddress) ?? {}, { contractAddress: otherAddress }),
  ],
  [
    "receiptsRoot",
    "a state root before Byzantium is another",
    old,
    (b) => Object.assign(receiptAt(b, 2), { root: otherHash }),
  ],
])("%s catches that %s", assertCaught);

test("an unreadable receipt is refused like a contradictory one", async () => {
  const error = await refusal(plain, (b) => Object.assign(receiptAt(b, 0), { cumulativeGasUsed: "many" }));
  expect(error?.message).toContain("cannot be read: ");
  expect((await refusal(plain, ({ block }) => block.transactions.splice(0, 1, null as never)))?.check).toBe("receipts");
});

test("numbering logs again changes nothing", async () => {
  expect(await refusal(plain, renumber)).toBeUndefined();
});
