/** Each way of spoiling the header and transactions of a real block is caught by the check that is there for it. */
import { test } from "vitest";
import {
  assertCaught,
  type Corruption,
  ofType,
  otherHash,
  receiptAt,
  transactionAt,
  withAccessList,
  withoutTransaction,
} from "./spoil.ts";

const plain = "mainnet/20000000";
const young = "mainnet/22869878";
const cChain = "avalanche/21";

test.each<Corruption>([
  ["transactionsRoot", "a value is another", plain, (b) => Object.assign(transactionAt(b, 5), { value: "0x1" })],
  [
    "transactionsRoot",
    "a hash is another",
    plain,
    (b) =>
      [transactionAt(b, 5), receiptAt(b, 5)].map((one, at) =>
        Object.assign(
          one,
          at
            ? {
                transactionHash: otherHash,
                logs: receiptAt(b, 5).logs.map((log) => ({ ...log, transactionHash: otherHash })),
              }
            : { hash: otherHash },
        ),
      ),
  ],
  ["transactionsRoot", "call data are shortened", plain, (b) => Object.assign(ofType(b, 2), { input: "0x" })],
  ["transactionsRoot", "a field is missing", plain, (b) => Object.assign(transactionAt(b, 5), { nonce: null })],
  ["transactionsRoot", "a signature is another", plain, (b) => Object.assign(transactionAt(b, 5), { r: "0x1" })],
  [
    "transactionsRoot",
    "a fee of a legacy transaction is another",
    plain,
    (b) => Object.assign(ofType(b, 0), { gasPrice: "0x1" }),
  ],
  [
    "transactionsRoot",
    "an access list is missing",
    "mainnet/18951424",
    (b) => Object.assign(withAccessList(b), { accessList: [] }),
  ],
  ["transactionsRoot", "a tip is another", plain, (b) => Object.assign(ofType(b, 2), { maxPriorityFeePerGas: "0x1" })],
  ["transactionsRoot", "a blob's hash is missing", plain, (b) => ofType(b, 3).blobVersionedHashes?.pop()],
  ["transactionsRoot", "an authorization is missing", young, (b) => ofType(b, 4).authorizationList?.pop()],
  [
    "transactionsRoot",
    "one without logs was left out altogether",
    plain,
    (b) =>
      withoutTransaction(
        b,
        b.receipts.findIndex(({ logs }) => logs.length === 0),
      ),
  ],
  [
    "transactionsRoot",
    "an empty block came instead of one without logs",
    "avalanche/20",
    ({ block, receipts, traces }) => [block.transactions.splice(0), receipts.splice(0), traces?.splice(0)],
  ],

  ["headerHash", "the time is another", plain, ({ block }) => Object.assign(block, { timestamp: "0x1" })],
  ["headerHash", "the parent is another", plain, ({ block }) => Object.assign(block, { parentHash: otherHash })],
  ["headerHash", "the state root is another", plain, ({ block }) => Object.assign(block, { stateRoot: otherHash })],
  ["headerHash", "the base fee is missing", plain, ({ block }) => Object.assign(block, { baseFeePerGas: null })],
  ["headerHash", "the blobs' gas is another", plain, ({ block }) => Object.assign(block, { blobGasUsed: "0x1" })],
  ["headerHash", "the requests' hash is missing", young, ({ block }) => Object.assign(block, { requestsHash: null })],
  [
    "headerHash",
    "a field that all headers have is missing",
    plain,
    ({ block }) => Object.assign(block, { mixHash: null }),
  ],
  [
    "headerHash",
    "the C-Chain's block gas cost is another",
    cChain,
    ({ block }) => Object.assign(block, { blockGasCost: "0x7" }),
  ],
  [
    "headerHash",
    "the C-Chain's milliseconds are missing",
    cChain,
    ({ block }) => Object.assign(block, { timestampMilliseconds: null }),
  ],
  [
    "headerHash",
    "the C-Chain's hash of atomic transactions is missing",
    cChain,
    ({ block }) => Object.assign(block, { extDataHash: null }),
  ],
])("%s catches that %s", assertCaught);
