/**
 * Matching stated once more, as plainly as the contract and the guides read, to hold the real one against: for each transaction and webhook
 * by itself, from what the node returned. It shares no code with the real one, and does not care for speed.
 */
import { decodeEventLog, toEventSelector } from "viem";
import type { WebhookOptions } from "../../server/matching/new-webhook.ts";
import type { BlockBundle, Hex, WireCallFrame, WireLog } from "../../server/matching/wire.ts";

/** Addresses and signatures are in lower case. */
export type NaiveWebhook = {
  id: string;
  addresses: readonly string[];
  eventSignatures: readonly string[];
  includeInternalTxs: boolean;
  options?: Pick<WebhookOptions, "conditions" | "abi" | "anyAddress" | "createdBy">;
};

type Condition = NonNullable<WebhookOptions["conditions"]>;
type Abi = NonNullable<WebhookOptions["abi"]>;

/** Which webhook is notified of which transaction: `index:id`, in chain order and then by id. */
export function naiveMatches(bundle: BlockBundle, webhooks: readonly NaiveWebhook[]): string[] {
  const byId = [...webhooks].sort((a, b) => (a.id < b.id ? -1 : 1));
  const watches = new Map(byId.map((webhook) => [webhook, watchOf(bundle, webhook)]));
  return bundle.block.transactions.flatMap((_, index) =>
    byId
      .filter((webhook) => isNotified(bundle, index, webhook, watches.get(webhook) ?? nobody))
      .map(({ id }) => `${index}:${id}`),
  );
}

/** Where something is: in the transaction itself, or in its log. */
type Place = { index: number; logIndex?: number };
/** Whether an address is watched there. */
type IsWatched = (address: string | undefined, place: Place) => boolean;

const nobody: IsWatched = () => false;
const zero = `0x${"0".repeat(40)}`;
const lower = (hex: string | null | undefined): string | undefined => hex?.toLowerCase();

/** A contract that a factory creates is watched from the log after the one that names it. */
function watchOf(bundle: BlockBundle, { addresses, options = {} }: NaiveWebhook): IsWatched {
  if (options.anyAddress) return (address) => address !== undefined;
  const watched = new Set(addresses);
  const named = new Map<string, Required<Place>>();
  const { createdBy } = options;
  for (const [index, receipt] of createdBy ? bundle.receipts.entries() : [])
    for (const [logIndex, { address, topics, data }] of receipt.status === "0x0" ? [] : receipt.logs.entries()) {
      if (lower(address) !== createdBy?.address || lower(topics[0]) !== createdBy?.eventSignature) continue;
      const [, place, number = ""] = /^(topic|data)(\d+)$/.exec(createdBy?.argument ?? "") ?? [];
      const word =
        place === "topic"
          ? topics[Number(number)]
          : `0x${data
              .slice(2)
              .slice(64 * Number(number))
              .slice(0, 64)}`;
      const contract = addressIn(word);
      if (contract !== undefined && contract !== zero && !named.has(contract)) named.set(contract, { index, logIndex });
    }
  return (address = "", { index, logIndex }) => {
    const since = named.get(address);
    if (watched.has(address) || !since) return watched.has(address);
    return index > since.index || (index === since.index && logIndex !== undefined && logIndex > since.logIndex);
  };
}

/** A left-padded address. */
function addressIn(topic: string | undefined): string | undefined {
  return topic !== undefined && /^0x0{24}[0-9a-fA-F]{40}$/.test(topic)
    ? `0x${topic.slice(26).toLowerCase()}`
    : undefined;
}

/** The emitter, and the indexed arguments that are left-padded addresses. */
const partiesOf = ({ address, topics }: WireLog) => [lower(address), ...topics.slice(1).map(addressIn)];

function isNotified(bundle: BlockBundle, index: number, webhook: NaiveWebhook, isWatched: IsWatched): boolean {
  const { conditions } = webhook.options ?? {};
  if (!matches(bundle, index, webhook, isWatched)) return false;
  if (!conditions) return true;
  const facts = factsOf(bundle, index);
  const isOfTransaction = fieldsIn(conditions).every((field) => field.startsWith("transaction."));
  const candidates = isOfTransaction
    ? [{}]
    : facts.activity.filter((one) => matchesByItself(one, index, webhook, isWatched));
  return candidates.some((candidate) =>
    holds(conditions, { facts, index, abi: webhook.options?.abi ?? [], isWatched, ...candidate }),
  );
}

/** By addresses and signatures. */
function matches(bundle: BlockBundle, index: number, webhook: NaiveWebhook, isWatched: IsWatched): boolean {
  const { eventSignatures, includeInternalTxs, options } = webhook;
  const { sender, receiver, created, logs, frames } = factsOf(bundle, index);
  const isIn = (log: WireLog, logIndex: number) =>
    partiesOf(log).some((party) => isWatched(party, { index, logIndex }));
  if (eventSignatures.length > 0)
    return logs.some((log, logIndex) => eventSignatures.includes(lower(log.topics[0]) ?? "") && isIn(log, logIndex));
  if (options?.anyAddress) return true;
  const parties = [
    sender,
    receiver,
    created,
    ...(includeInternalTxs ? frames.flatMap(({ from, to }) => [lower(from), lower(to)]) : []),
  ];
  return parties.some((party) => isWatched(party, { index })) || logs.some(isIn);
}

/** A log with its transfer, or a transfer of the native coin, with those who take part in it. */
type Candidate = {
  log?: WireLog;
  logIndex?: number;
  transfer?: NaiveTransfer;
  parties: (string | undefined)[];
  isInternal: boolean;
};

function matchesByItself(
  { log, logIndex, parties, isInternal }: Candidate,
  index: number,
  { eventSignatures, includeInternalTxs, options }: NaiveWebhook,
  isWatched: IsWatched,
): boolean {
  if (isInternal && !includeInternalTxs) return false;
  if (eventSignatures.length > 0 && !eventSignatures.includes(lower(log?.topics[0]) ?? "")) return false;
  const place = logIndex === undefined ? { index } : { index, logIndex };
  return options?.anyAddress || parties.some((party) => isWatched(party, place));
}

/** What a transaction did. The logs of a failed one do not count. */
type Facts = ReturnType<typeof readFacts>;
const known = new WeakMap<BlockBundle, Map<number, Facts>>();

export function factsOf(bundle: BlockBundle, index: number): Facts {
  const ofBlock = known.get(bundle) ?? new Map<number, Facts>();
  const facts = ofBlock.get(index) ?? readFacts(bundle, index);
  known.set(bundle, ofBlock.set(index, facts));
  return facts;
}

function readFacts({ block, receipts, traces }: BlockBundle, index: number) {
  const [transaction, receipt] = [block.transactions[index], receipts[index]];
  if (!transaction || !receipt) throw new Error("incomplete bundle");
  const failed = receipt.status === "0x0";
  const sender = lower(transaction.from ?? receipt.from);
  const named = lower(transaction.to ?? receipt.to);
  // The zero address in a receipt alone means a creation.
  const receiver = transaction.to || named !== zero ? named : undefined;
  const created = failed || lower(receipt.contractAddress) === zero ? undefined : lower(receipt.contractAddress);
  const logs = failed ? [] : receipt.logs;
  const top = traces?.[index]?.result;
  const frames =
    failed || !top
      ? []
      : pathsOf(top)
          .filter((path) => path.every(({ error }) => !error))
          .flatMap((path) => path.at(-1) ?? []);
  const transfers = new Map<number, NaiveTransfer[]>();
  for (const one of transfersIn(logs)) transfers.set(one.logIndex, [...(transfers.get(one.logIndex) ?? []), one]);
  const ofLogs = logs.flatMap((log, logIndex): Candidate[] => {
    const one = { log, logIndex, parties: partiesOf(log), isInternal: false };
    const own = transfers.get(logIndex) ?? [];
    return own.length > 0 ? own.map((transfer) => ({ ...one, transfer })) : [one];
  });
  const native = (
    from: string | undefined,
    to: string | undefined,
    value: bigint,
    isInternal: boolean,
  ): Candidate[] => {
    const transfer = { standard: "native", from: from ?? zero, to: to ?? zero, value };
    return value > 0n && !failed ? [{ transfer, parties: [from, to], isInternal }] : [];
  };
  const value = BigInt(transaction.value ?? 0);
  const below = frames.filter((frame) => frame !== top && !/^(DELEGATECALL|CALLCODE|STATICCALL)$/.test(frame.type));
  const activity = [
    ...ofLogs,
    ...native(sender, receiver ?? created, value, false),
    ...below.flatMap((frame) => native(lower(frame.from), lower(frame.to), BigInt(frame.value ?? 0), true)),
  ];
  return { transaction, receipt, sender, receiver, created, logs, frames, activity, value };
}

/** For each frame the way to it from the top, itself included, in whatever order. */
export function pathsOf(top: WireCallFrame): WireCallFrame[][] {
  const paths = [[top]];
  for (const path of paths) for (const call of path.at(-1)?.calls ?? []) paths.push([...path, call]);
  return paths;
}

type NaiveTransfer = {
  standard: string;
  contract?: string;
  from: string;
  to: string;
  value: bigint;
  tokenId?: bigint;
  logIndex?: number;
};

/** What the guide on transfers says, log by log. */
function transfersIn(logs: readonly WireLog[]): (NaiveTransfer & { logIndex: number })[] {
  const isWrapping = (signature: string) => signature === selectors.deposit || signature === selectors.withdrawal;
  const all = logs.flatMap((log, logIndex) => {
    const signature = lower(log.topics[0]) ?? "";
    return transfersOf(log).map((one) => ({ ...one, contract: log.address.toLowerCase(), logIndex, signature }));
  });
  // A coin that logs both Deposit and Transfer of the same amount moved it once.
  const isTold = (one: (typeof all)[number]) =>
    all.some(
      (other) =>
        !isWrapping(other.signature) &&
        (["contract", "from", "to", "value"] as const).every((key) => other[key] === one[key]),
    );
  return all.filter((one) => !isWrapping(one.signature) || !isTold(one));
}

const selectors = {
  transfer: toEventSelector("Transfer(address,address,uint256)"),
  single: toEventSelector("TransferSingle(address,address,address,uint256,uint256)"),
  batch: toEventSelector("TransferBatch(address,address,address,uint256[],uint256[])"),
  deposit: toEventSelector("Deposit(address,uint256)"),
  withdrawal: toEventSelector("Withdrawal(address,uint256)"),
};

type LogTransfer = Pick<NaiveTransfer, "standard" | "from" | "to" | "value" | "tokenId">;

function transfersOf({ topics, data }: WireLog): LogTransfer[] {
  const [signature, ...indexed] = topics.map((topic) => topic.toLowerCase());
  const [first, second, third] = indexed.map(addressIn);
  const words = (data.slice(2).match(/[0-9a-fA-F]{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
  const [one, two] = words;
  switch (signature) {
    case selectors.transfer:
      if (first === undefined || second === undefined) return [];
      if (indexed.length === 3)
        return [{ standard: "erc721", from: first, to: second, value: 1n, tokenId: BigInt(indexed[2] ?? 0) }];
      return indexed.length === 2 && one !== undefined
        ? [{ standard: "erc20", from: first, to: second, value: one }]
        : [];
    case selectors.single:
      if (second === undefined || third === undefined || one === undefined || two === undefined) return [];
      return [{ standard: "erc1155", from: second, to: third, tokenId: one, value: two }];
    case selectors.batch: {
      const [from, to] = [second, third];
      const [ids, values] = [one, two].map((offset = 0n) => {
        const start = Number(offset) / 32;
        return words.slice(start + 1, start + 1 + Number(words[start] ?? 0));
      });
      if (from === undefined || to === undefined || !ids || ids.length !== values?.length) return [];
      return ids.map((tokenId, at) => ({ standard: "erc1155", from, to, tokenId, value: values[at] ?? 0n }));
    }
    case selectors.deposit:
    case selectors.withdrawal: {
      if (indexed.length !== 1 || first === undefined || one === undefined || data.length !== 66) return [];
      const [from, to] = signature === selectors.deposit ? [zero, first] : [first, zero];
      return [{ standard: "erc20", from, to, value: one }];
    }
    default:
      return [];
  }
}

export function fieldsIn({ all = [], any = [], not, field }: Condition): string[] {
  return [...all, ...any, ...(not ? [not] : [])].flatMap(fieldsIn).concat(field ?? []);
}

export type Context = Partial<Candidate> & { facts: Facts; index: number; abi: Abi; isWatched: IsWatched };

function holds({ all, any, not, field = "", op = "eq", value = "" }: Condition, context: Context): boolean {
  if (all) return all.every((one) => holds(one, context));
  if (any) return any.some((one) => holds(one, context));
  if (not) return !holds(not, context);
  const own = valuesOf(field, context);
  const wanted = [value].flat();
  // A comparison of what is not there does not hold.
  if (own.length === 0) return false;
  if (op === "ne") return !own.some((one) => isEqual(one, wanted[0] ?? ""));
  if (op === "eq" || op === "in") return own.some((one) => wanted.some((other) => isEqual(one, other)));
  const [left, right] = [BigInt(own[0] ?? ""), BigInt(wanted[0] ?? "")];
  if (op === "gt") return left > right;
  if (op === "gte") return left >= right;
  return op === "lt" ? left < right : left <= right;
}

const number = /^(-?\d+|0x[0-9a-f]+)$/i;

/** Hex is never read as a number from a log. No number is written as 07, which a text may be. */
function isEqual(own: string, wanted: string): boolean {
  if (own.startsWith("0x") || wanted === "07") return own.toLowerCase() === wanted.toLowerCase();
  return number.test(own) && number.test(wanted) ? BigInt(own) === BigInt(wanted) : own === wanted;
}

/** None if the candidate lacks it; the direction may have two. */
export function valuesOf(field: string, { facts, index, abi, isWatched, log, logIndex, transfer }: Context): string[] {
  const { transaction, receipt, sender, receiver, value } = facts;
  const own = (found: unknown) => (found === undefined || found === null ? [] : [String(found)]);
  const place = logIndex === undefined ? { index } : { index, logIndex };
  switch (field) {
    case "transaction.value":
      return own(value);
    case "transaction.status":
      return own(receipt.status && Number(receipt.status));
    case "transaction.from":
      return own(sender ?? zero);
    case "transaction.to":
      return own(receiver ?? zero);
    case "transaction.method":
      return (transaction.input?.length ?? 0) < 10 || !receiver ? [] : own(transaction.input?.slice(0, 10));
    case "transfer.direction":
      return [...(isWatched(transfer?.to, place) ? ["in"] : []), ...(isWatched(transfer?.from, place) ? ["out"] : [])];
    default:
      if (field.startsWith("transfer.")) return own(transfer?.[field.slice("transfer.".length) as keyof NaiveTransfer]);
      return own(log && argument(abi, log, field.split(".").slice(1)));
  }
}

type Input = Abi[number]["inputs"][number];
type Decoded = { inputs: readonly Input[]; args: unknown } | undefined;
const decodedLogs = new WeakMap<WireLog, Map<Abi, Decoded>>();

/** Of the first event that fits the log, by viem. */
function decoded(abi: Abi, log: WireLog): Decoded {
  const [signature, ...indexed] = log.topics;
  for (const event of signature ? abi : []) {
    if (event.inputs.filter((input) => input.indexed).length !== indexed.length) continue;
    try {
      const topics: [Hex, ...Hex[]] = [signature?.toLowerCase() as Hex, ...indexed];
      const { args } = decodeEventLog({ abi: [event] as never, data: log.data, topics, strict: true }) as {
        args: unknown;
      };
      return { inputs: event.inputs, args };
    } catch {
      // It is not this one.
    }
  }
  return undefined;
}

/** A text of what is indexed is there as its hash, which viem returns in its place. */
function argument(abi: Abi, log: WireLog, path: readonly string[]): unknown {
  const ofLog = decodedLogs.get(log) ?? new Map<Abi, Decoded>();
  decodedLogs.set(log, ofLog);
  if (!ofLog.has(abi)) ofLog.set(abi, decoded(abi, log));
  const found = ofLog.get(abi);
  let [value, inputs]: [unknown, readonly Input[]] = [found?.args, found?.inputs ?? []];
  for (const name of path) {
    const at = inputs.findIndex((input, position) => (input.name || String(position)) === name);
    const input = inputs[at];
    if (!input) return undefined;
    value = Array.isArray(value) ? value[at] : (value as Record<string, unknown>)[input.name ?? ""];
    inputs = input.components ?? [];
  }
  return value;
}
