/** Makes small bundles for tests, of which a test states only what it is about. */
import type { BlockBundle, Hex, WireCallFrame, WireReceipt, WireTransaction } from "../../server/matching/wire.ts";

export type MadeLog = { address: Hex; topics: Hex[]; data?: Hex };

export type MadeTransaction = {
  from?: Hex;
  to?: Hex | null;
  contractAddress?: Hex | null;
  status?: Hex | null;
  logs?: MadeLog[];
  /** The top call frame. Where one transaction has it, the bundle has traces. */
  trace?: WireCallFrame;
  /** Further fields of the transaction. */
  fields?: Partial<WireTransaction>;
  /** Further fields of its receipt. */
  receiptFields?: Partial<WireReceipt>;
};

const padTo = (length: number, n: number, letter: string): Hex => `0x${n.toString(16).padStart(length, letter)}`;
const quantity = (n: number): Hex => `0x${n.toString(16)}`;

/** The n-th address. */
export const addressOf = (n: number): Hex => padTo(40, n, "a");

/** The n-th hash, of a series of its own for each letter. */
export const hashOf = (n: number, letter = "f"): Hex => padTo(64, n, letter);

/** An address as an indexed argument of a log. */
export const padded = (address: Hex): Hex => `0x${"0".repeat(24)}${address.slice(2)}`;

/** A call frame. */
export function frame(from: Hex, to: Hex, more: Partial<WireCallFrame> = {}): WireCallFrame {
  return { type: "CALL", from, to, value: "0x1", gas: "0x64", gasUsed: "0xa", ...more };
}

export const sender = addressOf(0xfe);
export const receiver = addressOf(0xfd);
const blockHash = hashOf(1, "b");

/** A block of these transactions. */
export function madeBundle(...made: MadeTransaction[]): BlockBundle {
  const bundle: BlockBundle = {
    block: {
      hash: blockHash,
      number: "0x10",
      parentHash: hashOf(0, "b"),
      timestamp: "0x6956f800",
      receiptsRoot: hashOf(1, "c"),
      logsBloom: "0x",
      transactions: made.map(madeTransaction),
    },
    receipts: made.map(madeReceipt),
  };
  if (!made.some(({ trace }) => trace)) return bundle;
  const traces = made.map(({ from = sender, to, trace }) => ({ result: trace ?? frame(from, to ?? receiver) }));
  return { ...bundle, traces };
}

function madeTransaction({ from = sender, to = receiver, fields }: MadeTransaction, index: number): WireTransaction {
  return {
    hash: hashOf(index, "d"),
    from,
    to,
    gas: "0x5208",
    gasPrice: "0x9",
    input: "0x",
    nonce: "0x7",
    value: "0x0",
    type: "0x0",
    ...fields,
  };
}

function madeReceipt(
  { contractAddress = null, status = "0x1", logs = [], receiptFields }: MadeTransaction,
  index: number,
): WireReceipt {
  return {
    transactionHash: hashOf(index, "d"),
    blockHash,
    transactionIndex: quantity(index),
    cumulativeGasUsed: "0x5208",
    gasUsed: "0x5208",
    effectiveGasPrice: "0x9",
    contractAddress,
    status,
    logs: logs.map((log, position) => ({ data: "0x", logIndex: quantity(position), ...log })),
    ...receiptFields,
  };
}
