/**
 * Nodes write one thing in several forms: a number as `0x`, with zeros in front, or as a JSON number; no logs as null. What has one
 * meaning is brought into one form, before anything else looks at a bundle. What has none is refused, by its field and its value.
 */
import { quantityIn } from "../../matching/quantities.ts";
import type {
  BlockBundle,
  Hex,
  WireBlock,
  WireCallFrame,
  WireLog,
  WireReceipt,
  WireTrace,
  WireTransaction,
} from "../../matching/wire.ts";
import type { ChainKind, CheckName } from "../../settings/chain-profiles.ts";
import { type CheckFinding, type FailedCheck, refuse, same } from "./check.ts";

/** The numbers of one kind of object, each with the check that reads it. Without those that are required there is no payload. */
type Numbers<T> = ReadonlyMap<keyof T & string, NumberKind>;
type NumberKind = { check: CheckName; required: boolean };
type Named<T> = readonly [CheckName, readonly (keyof T & string)[]];

function numbers<T>(required: Named<T>, others: Named<T>): Numbers<T> {
  const entries = ([check, names]: Named<T>, required: boolean) =>
    names.map((name) => [name, { check, required }] as const);
  return new Map([...entries(required, true), ...entries(others, false)]);
}

const ofBlock = numbers<WireBlock>(
  ["headerHash", ["number", "timestamp"]],
  [
    "headerHash",
    [
      ...(["difficulty", "gasLimit", "gasUsed", "baseFeePerGas", "blobGasUsed", "excessBlobGas"] as const),
      ...(["extDataGasUsed", "blockGasCost", "timestampMilliseconds", "minDelayExcess", "targetExponent"] as const),
      ...(["minPriceExponent", "settledHeight", "settledGasUnix", "settledGasNumerator", "settledExcess"] as const),
    ],
  ],
);

const ofTransaction = numbers<WireTransaction>(
  ["transactionsRoot", ["type", "gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "nonce", "value"]],
  [
    "transactionsRoot",
    [
      ...(["transactionIndex", "chainId", "v", "r", "s", "yParity", "maxFeePerBlobGas", "mint", "queueIndex"] as const),
      ...(["maxRefund", "submissionFeeRefund", "l1BaseFee", "depositValue", "retryValue", "maxSubmissionFee"] as const),
    ],
  ],
);

const ofReceipt = numbers<WireReceipt>(
  ["receipts", ["type", "status", "cumulativeGasUsed", "gasUsed", "effectiveGasPrice"]],
  ["receipts", ["transactionIndex", "depositNonce", "depositReceiptVersion", "baseFee"]],
);

const ofLog = numbers<WireLog>(["receipts", []], ["logIndex", ["logIndex"]]);

const ofFrame = numbers<WireCallFrame>(["traces", ["value", "gas", "gasUsed"]], ["traces", []]);

/**
 * A block has thousands of numbers, and almost all are in form, so nothing is made for those: no text, no function, no copy. It takes 0.3 ms of
 * the 8 of a block with 190 transactions; with the properties looked up by a list of names it took 0.7.
 *
 * @returns the bundle in one form, the same one if it was; and the first number of each check that has no meaning
 */
export function readWireForms(
  fetched: BlockBundle,
  kind: ChainKind,
): { bundle: BlockBundle; unreadable: FailedCheck[] } {
  const unreadable = new Map<CheckName, FailedCheck>();

  /** @param owner names the object, with its index */
  function read<T extends object>(source: T, numbers: Numbers<T>, owner: string, index = 0): T {
    let copy: T | undefined;
    for (const key in source) {
      const number = numbers.get(key);
      if (number === undefined) continue;
      const value: unknown = source[key];
      if (value == null || isInForm(value, number.required)) continue;
      const quantity = quantityIn(value);
      if (quantity === undefined) refuseNumber(number, value, `${owner.replace("#", String(index))} whose ${key}`);
      else copy = Object.assign(copy ?? { ...source }, { [key]: quantity });
    }
    return copy ?? source;
  }

  function refuseNumber({ check, required }: NumberKind, value: unknown, what: string): void {
    const known = unreadable.get(check);
    if (known && (known.required || !required)) return;
    const reason = `has ${what} is ${quoted(value)}, which must be a number in hex, such as 0x1f`;
    unreadable.set(check, { check, reason, ...(required && { required }) });
  }

  function readFrame(frame: WireCallFrame, index: number): WireCallFrame {
    const own = read(frame, ofFrame, "a trace # with a call", index);
    if (!own.calls) return own;
    const calls = mapped(own.calls, (call) => readFrame(call, index));
    return calls === own.calls ? own : { ...own, calls };
  }

  function readReceipt(receipt: WireReceipt, index: number): WireReceipt {
    const own = read(withLogs(receipt, fetched.block, kind), ofReceipt, "a receipt #", index);
    const logs = mapped(own.logs, (log) => read(log, ofLog, "a receipt # with a log", index));
    return logs === own.logs ? own : { ...own, logs };
  }

  function readTrace(trace: WireTrace, index: number): WireTrace {
    const result = isObject(trace.result) ? readFrame(trace.result, index) : trace.result;
    return result === trace.result ? trace : { ...trace, ...(result !== undefined && { result }) };
  }

  const header = read(fetched.block, ofBlock, "a header");
  const transactions = mapped(header.transactions, (each, index) =>
    read(each, ofTransaction, "a transaction #", index),
  );
  const block = transactions === header.transactions ? header : { ...header, transactions };
  const receipts = mapped(fetched.receipts, readReceipt);
  const traces = fetched.traces && mapped(fetched.traces, readTrace);
  const isSame = block === fetched.block && receipts === fetched.receipts && traces === fetched.traces;
  const bundle = isSame ? fetched : { block, receipts, ...(traces && { traces }) };
  return { bundle, unreadable: [...unreadable.values()] };
}

const isObject = <T>(value: T): value is T & object => typeof value === "object" && value !== null;

/** @returns the same list if nothing in it changes, or if it is none */
function mapped<T>(list: T[], change: (each: T, index: number) => T): T[] {
  if (!Array.isArray(list)) return list;
  let copy: T[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const each = list[index];
    if (!isObject(each)) continue;
    const changed = change(each, index);
    if (changed === each) continue;
    copy ??= [...list];
    copy[index] = changed;
  }
  return copy ?? list;
}

/** Almost every number is. The digits of a signature are read where it is hashed. */
function isInForm(value: unknown, isRequired: boolean): boolean {
  if (typeof value !== "string") return false;
  const isSignature = !isRequired && value.length > 40;
  return isSignature ? value.startsWith("0x") && value[2] !== "0" : form.test(value);
}

/** As JSON-RPC prescribes a number: without zeros in front. */
const form = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]*)$/;

const longestQuoted = 80;
const quoted = (value: unknown) => (JSON.stringify(value) ?? String(value)).slice(0, longestQuoted);

const emptyBloom: Hex = `0x${"00".repeat(256)}`;
export const isBloom = (bloom: unknown) => typeof bloom === "string" && bloom.length === emptyBloom.length;

/** An empty bloom proves that there are no logs. On the ZK stack it only says that the node does not return blooms. */
function withLogs(receipt: WireReceipt, block: WireBlock, kind: ChainKind): WireReceipt {
  const { logs, logsBloom } = receipt as { logs?: unknown; logsBloom?: Hex | null };
  if (logs != null || kind === "zksync") return receipt;
  return same(logsBloom ?? block.logsBloom, emptyBloom) ? { ...receipt, logs: [] } : receipt;
}

/**
 * Whether there is what a notification is made of: for each transaction its receipt, with its logs. No configuration makes up for it.
 *
 * @param bundle normalised
 */
export function checkData({ block, receipts }: BlockBundle): CheckFinding | undefined {
  for (const [index, { hash }] of block.transactions.entries()) {
    const receipt = receipts[index];
    if (!receipt || !same(receipt.transactionHash, hash)) return lacking(`has no receipt of transaction ${hash}`);
    if (!Array.isArray(receipt.logs)) return lacking(`has a receipt ${index} whose logs are ${quoted(receipt.logs)}`);
    const wrong = receipt.logs.find((log: unknown) => !isLog(log));
    if (wrong !== undefined) return lacking(`has a receipt ${index} with a log ${quoted(wrong)}`);
  }
  return undefined;
}

const lacking = (reason: string): CheckFinding => ({ ...(refuse(reason) as { refused: string }), required: true });

function isLog(log: unknown): boolean {
  if (!isObject(log)) return false;
  const { address, topics, data } = log as Partial<WireLog>;
  return (
    typeof address === "string" &&
    typeof data === "string" &&
    Array.isArray(topics) &&
    topics.every((topic) => typeof topic === "string")
  );
}
