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

/** The numbers of one kind of object. Without those that are `needed` there is no payload. */
type Numbers<T> = {
  needed: readonly (keyof T & string)[];
  neededFor: CheckName;
  others: readonly (keyof T & string)[];
  /** The check that reads the others. */
  check: CheckName;
};

const ofBlock: Numbers<WireBlock> = {
  needed: ["number", "timestamp"],
  neededFor: "headerHash",
  others: [
    ...(["difficulty", "gasLimit", "gasUsed", "baseFeePerGas", "blobGasUsed", "excessBlobGas"] as const),
    ...(["extDataGasUsed", "blockGasCost", "timestampMilliseconds", "minDelayExcess", "targetExponent"] as const),
    ...(["minPriceExponent", "settledHeight", "settledGasUnix", "settledGasNumerator", "settledExcess"] as const),
  ],
  check: "headerHash",
};

const ofTransaction: Numbers<WireTransaction> = {
  needed: ["type", "gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "nonce", "value"],
  neededFor: "transactionsRoot",
  others: [
    ...(["transactionIndex", "chainId", "v", "r", "s", "yParity", "maxFeePerBlobGas", "mint", "queueIndex"] as const),
    ...(["maxRefund", "submissionFeeRefund", "l1BaseFee", "depositValue", "retryValue", "maxSubmissionFee"] as const),
  ],
  check: "transactionsRoot",
};

const ofReceipt: Numbers<WireReceipt> = {
  needed: ["type", "status", "cumulativeGasUsed", "gasUsed", "effectiveGasPrice"],
  neededFor: "receipts",
  others: ["transactionIndex", "depositNonce", "depositReceiptVersion", "baseFee"],
  check: "receipts",
};

const ofLog: Numbers<WireLog> = { needed: [], neededFor: "receipts", others: ["logIndex"], check: "logIndex" };

const ofFrame: Numbers<WireCallFrame> = {
  needed: ["value", "gas", "gasUsed"],
  neededFor: "traces",
  others: [],
  check: "traces",
};

/** @returns the bundle in one form, the same one if it was; and the first number of each check that has no meaning */
export function readWireForms(
  fetched: BlockBundle,
  kind: ChainKind,
): { bundle: BlockBundle; unreadable: FailedCheck[] } {
  const unreadable = new Map<CheckName, FailedCheck>();

  function read<T extends object>(source: T, numbers: Numbers<T>, owner: string): T {
    let copy: T | undefined;
    const readAll = (names: readonly (keyof T & string)[], isNeeded: boolean) => {
      for (const name of names) {
        const value: unknown = source[name];
        if (value == null || isInForm(value, isNeeded)) continue;
        const quantity = quantityIn(value);
        if (quantity !== undefined) {
          copy ??= { ...source };
          Object.assign(copy, { [name]: quantity });
          continue;
        }
        const check = isNeeded ? numbers.neededFor : numbers.check;
        const known = unreadable.get(check);
        if (known && (known.required || !isNeeded)) continue;
        const reason = `has ${owner} whose ${name} is ${quoted(value)}, which must be a number in hex, such as 0x1f`;
        unreadable.set(check, { check, reason, ...(isNeeded && { required: true }) });
      }
    };
    readAll(numbers.needed, true);
    readAll(numbers.others, false);
    return copy ?? source;
  }

  function readFrame(frame: WireCallFrame, owner: string): WireCallFrame {
    const own = read(frame, ofFrame, owner);
    if (!own.calls) return own;
    const calls = mapped(own.calls, (call) => readFrame(call, owner));
    return calls === own.calls ? own : { ...own, calls };
  }

  function readReceipt(receipt: WireReceipt, index: number): WireReceipt {
    const own = read(withLogs(receipt, fetched.block, kind), ofReceipt, `a receipt ${index}`);
    const logs = mapped(own.logs, (log) => read(log, ofLog, `a receipt ${index} with a log`));
    return logs === own.logs ? own : { ...own, logs };
  }

  function readTrace(trace: WireTrace, index: number): WireTrace {
    const result = isObject(trace.result) ? readFrame(trace.result, `a trace ${index} with a call`) : trace.result;
    return result === trace.result ? trace : { ...trace, ...(result !== undefined && { result }) };
  }

  const header = read(fetched.block, ofBlock, "a header");
  const transactions = mapped(header.transactions, (each, index) =>
    read(each, ofTransaction, `a transaction ${index}`),
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
  for (const [index, each] of list.entries()) {
    if (!isObject(each)) continue;
    const changed = change(each, index);
    if (changed === each) continue;
    copy ??= [...list];
    copy[index] = changed;
  }
  return copy ?? list;
}

/** Almost every number is, and a block has thousands. The digits of a signature are read where it is hashed. */
function isInForm(value: unknown, isNeeded: boolean): boolean {
  return (
    typeof value === "string" &&
    value.length > 2 &&
    value.startsWith("0x") &&
    (value[2] !== "0" || value.length === 3) &&
    ((!isNeeded && value.length > 40) || !Number.isNaN(Number(value)))
  );
}

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
