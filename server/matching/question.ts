/**
 * Answers what a webhook would be notified of in a block, and why. The rule in rule.ts decides, on the whole transaction and on each part of
 * it alone; nothing here knows it.
 */
import type { components } from "../../generated/types.ts";
import { createdContract, hasFailed, receiverOf, senderOf, standingFrames, transactionAt } from "./bundle.ts";
import type { Watch } from "./conditional.ts";
import { type ConditionsVerdict, decided, explainConditions } from "./conditions/explain.ts";
import { type CreatedContract, createdContracts } from "./created.ts";
import { buildEvent, eventText, finalityText, ownEventText, variantOf } from "./event.ts";
import type { AnsweredTransaction, BlockAnswer } from "./explanation.ts";
import { decodingAbi, type WebhookFilter } from "./new-webhook.ts";
import { addressIn, participantsByTransaction, type TransactionParticipants } from "./participants.ts";
import { seconds } from "./quantities.ts";
import { matchBlock } from "./rule.ts";
import { previewSentence } from "./sentences.ts";
import { type TokenBook, tokensMoved } from "./transfers.ts";
import type { BlockBundle, WireLog } from "./wire.ts";

type Part = components["schemas"]["Part"];

/** Plain data: it goes to another thread. */
export type BlockQuestion = {
  webhook: WebhookFilter;
  /** The watched addresses in lower case, each with the first block for which it is watched. */
  watched: ReadonlyMap<string, number>;
  /** Contracts that logs of the webhook's factory named, each with the block of the log. The block's own logs say more. */
  named?: ReadonlyMap<string, number>;
  /** Only this transaction, in lower case, whether it matches or not. */
  txHash?: string;
  /** Whether to build payloads. */
  payloads: boolean;
  /** How many blocks are on top of this one. */
  depth?: number;
};

const mostTransactions = 20;
const mostParts = 20;
/** Characters of payloads in an answer. Only the first payload may be longer. */
const mostText = 1_000_000;

/**
 * @param tokens what is known of those in `tokensOf`; others have nulls
 * @throws what `participantsByTransaction` and `buildEvent` throw
 */
export function answerQuestion(
  bundle: BlockBundle,
  chainId: string,
  question: BlockQuestion,
  tokens?: TokenBook,
): BlockAnswer {
  const { webhook, txHash, payloads } = question;
  const all = participantsByTransaction(bundle);
  const wanted = all.filter(({ transactionHash }) => txHash === undefined || transactionHash === txHash);
  const watch = watchIn(bundle, all, question);
  const matching = watch.matching("now", all, webhook);
  const matched = wanted.filter((transaction) => matching.has(transaction));
  const shown = txHash === undefined ? matched : wanted;
  const transactions: AnsweredTransaction[] = [];
  let length = 0;
  for (const transaction of shown.slice(0, mostTransactions)) {
    const answered = explainTransaction(bundle, transaction, {
      webhook,
      watch,
      all,
      matchesNow: matching.has(transaction),
    });
    if (payloads && answered.reason === "matches") {
      answered.eventText = textOf(bundle, transaction.transactionIndex, { chainId, question, tokens });
      length += answered.eventText.length;
      if (length > mostText && transactions.length > 0) break;
    }
    transactions.push(answered);
  }
  return {
    blockTimestamp: seconds(bundle.block.timestamp),
    transactionCount: wanted.length,
    matchCount: matched.length,
    transactions,
  };
}

/** The contracts of the tokens in the answer's payloads. */
export function tokensOf(bundle: BlockBundle, { webhook }: BlockQuestion, { transactions }: BlockAnswer): string[] {
  if (!webhook.options?.includeTransfers) return [];
  const indices = transactions.filter(({ eventText }) => eventText !== undefined);
  return [...new Set(indices.flatMap(({ transactionIndex }) => tokensMoved(bundle, transactionIndex)))];
}

function textOf(
  bundle: BlockBundle,
  transactionIndex: number,
  of: { chainId: string; question: BlockQuestion; tokens: TokenBook | undefined },
): string {
  const { webhook, depth = 0 } = of.question;
  const stored = eventText(buildEvent(bundle, transactionIndex, variantOf(webhook, of)));
  const text = ownEventText(stored, decodingAbi(webhook.options));
  const finality = webhook.options?.finality;
  if (finality === undefined) return text;
  if (typeof finality === "object") return finalityText(text, { ...finality, finalized: false });
  const isFirst = finality === "both";
  return finalityText(text, { confirmations: isFirst ? 0 : depth, finalized: !isFirst });
}

type Asking = {
  webhook: WebhookFilter;
  watch: AskedWatch;
  /** Of the whole block: what its first transactions create is watched in later ones. */
  all: readonly TransactionParticipants[];
  matchesNow: boolean;
};

function explainTransaction(
  bundle: BlockBundle,
  transaction: TransactionParticipants,
  { webhook, watch, all, matchesNow }: Asking,
): AnsweredTransaction {
  const { transactionHash: txHash, transactionIndex } = transaction;
  const { conditions: _, ...options } = webhook.options ?? {};
  const unconditional: WebhookFilter = { ...webhook, options };
  const matches = matchesNow || watch.matching("ever", [transaction], webhook).size > 0;
  const verdict =
    webhook.options?.conditions && watch.matching("ever", [transaction], unconditional).size > 0
      ? explainConditions(bundle, { webhook, transaction, watch: watch.watch(whenDecided()) })
      : undefined;

  /** What a factory names later counts only where nothing else matches. */
  function whenDecided(): "now" | "ever" {
    if (matchesNow) return "now";
    return !matches && watch.matching("now", all, unconditional).has(transaction) ? "now" : "ever";
  }

  const fulfils = verdict && fulfilledBy(verdict);
  const found = partsFound(bundle, transaction, { webhook, watch, isOfTransaction: verdict?.ofTransaction ?? false });
  const parts = found.map(({ part, alone }): Part => {
    const matches =
      (fulfils?.(part) ?? true) && watch.matchesAlone({ ...transaction, ...alone }, part.address, unconditional);
    return { ...part, matches, ...watch.since(part.address) };
  });
  const about = { parts: firstParts(parts), partCount: parts.length };
  const reason = matchesNow ? "matches" : matches ? "not_yet_effective" : verdict ? "condition_failed" : noMatch();
  const because = {
    ...about,
    ...(verdict && decided(verdict)),
    ...(reason === "not_yet_effective" && firstEffective(parts, watch)),
  };

  function noMatch() {
    return parts.length === 0 && !webhook.options?.anyAddress ? "not_watched" : "other_event";
  }
  return { txHash, transactionIndex, matches, reason, message: previewSentence({ reason, ...because }), ...because };
}

/** Where any address is watched, each log that has one of the signatures is a part, named by its emitter. */
function partsFound(
  bundle: BlockBundle,
  { transactionIndex }: TransactionParticipants,
  { webhook, watch, isOfTransaction }: { webhook: WebhookFilter; watch: AskedWatch; isOfTransaction: boolean },
): PartAlone[] {
  const isAny = webhook.options?.anyAddress ?? false;
  if (isAny && isOfTransaction && webhook.eventSignatures.size === 0) return [];
  const withInternal = !isAny && webhook.includeInternalTxs && bundle.traces !== undefined;
  const parts = partsOf(bundle, transactionIndex, { isWatched: watch.isWatched, withInternal });
  return isAny ? parts.filter(({ part }) => part.role === "emitter") : parts;
}

/** @returns whether conditions hold for the log of a part, or for a native transfer of its address */
function fulfilledBy({ ofTransaction, fulfilling }: ConditionsVerdict): (part: PartAlone["part"]) => boolean {
  if (ofTransaction) return () => fulfilling.length > 0;
  const logs = new Set(fulfilling.map(({ logIndex }) => logIndex));
  const native = fulfilling.filter(({ logIndex }) => logIndex === null);
  return ({ address, logIndex, role }) => {
    if (logIndex !== undefined) return logs.has(logIndex);
    const isInternal = role === "call_from" || role === "call_to";
    return native.some((candidate) => candidate.isInternal === isInternal && candidate.parties.includes(address));
  };
}

/** The first block for which an address is watched by which the transaction would match. */
function firstEffective(parts: readonly Part[], watch: AskedWatch): { fromBlock?: string } {
  const blocks = parts.filter(({ matches }) => matches).map(({ address }) => watch.firstBlock(address));
  return blocks.length === 0 ? {} : { fromBlock: String(blocks.reduce((first, one) => Math.min(first, one))) };
}

/** Those by which it matches come first. */
function firstParts(parts: readonly Part[]): Part[] {
  const first = parts.filter(({ matches }) => matches).slice(0, mostParts);
  return [...first, ...parts.filter(({ matches }) => !matches)].slice(0, mostParts);
}

type AskedWatch = {
  isWatched(address: string): boolean;
  /** Applies the rule. @param when `ever`: as if everything had been watched for ever @returns those of the transactions that match */
  matching(
    when: "now" | "ever",
    transactions: readonly TransactionParticipants[],
    webhook: WebhookFilter,
  ): ReadonlySet<TransactionParticipants>;
  /** Whether a transaction matches in which nobody but this address takes part, as if it had been watched for ever. */
  matchesAlone(transaction: TransactionParticipants, address: string, webhook: WebhookFilter): boolean;
  /** For the conditions. */
  watch(when: "now" | "ever"): Watch;
  /** Since when the address is watched, where that is not before the block. */
  since(address: string): Pick<Part, "fromBlock" | "namedBy">;
  /** The first block for which it is watched; 0 if that is long ago. */
  firstBlock(address: string): number;
};

/** @param transactions all of the block's */
function watchIn(
  bundle: BlockBundle,
  transactions: readonly TransactionParticipants[],
  { webhook, watched, named = new Map() }: Pick<BlockQuestion, "webhook" | "watched" | "named">,
): AskedWatch {
  const block = Number(bundle.block.number);
  const now = new Set<string>();
  for (const [address, from] of watched) if (from <= block) now.add(address);
  for (const [address, at] of named) if (at < block) now.add(address);
  const created = new Map<string, CreatedContract>();
  for (const { contracts } of createdContracts(bundle, transactions, [webhook]))
    for (const contract of contracts) if (!now.has(contract.address)) created.set(contract.address, contract);
  const ever = new Set([...watched.keys(), ...named.keys(), ...created.keys()]);
  const contracts = [...created.values()];
  const isAny = webhook.options?.anyAddress ?? false;

  const txHashAt = (index: number) => bundle.block.transactions[index]?.hash.toLowerCase() ?? "";
  const firstBlock = (address: string) =>
    created.has(address) ? block : (named.get(address) ?? watched.get(address) ?? 0);
  return {
    isWatched: (address) => isAny || ever.has(address),
    matching(when, transactions, webhook) {
      const watching = [webhook];
      const watchedBy = new Map([...(when === "now" ? now : ever)].map((address) => [address, watching]));
      const matches = matchBlock(transactions, watchedBy, bundle, {
        anywhere: isAny ? watching : [],
        created: when === "now" && contracts.length > 0 ? [{ webhooks: watching, contracts }] : [],
      });
      return new Set(matches.map(({ transaction }) => transaction));
    },
    matchesAlone(transaction, address, webhook) {
      const watching = [webhook];
      const anywhere = isAny ? watching : [];
      return matchBlock([transaction], new Map([[address, watching]]), bundle, { anywhere }).length > 0;
    },
    watch: (when) => ({
      addresses: isAny ? undefined : when === "now" ? now : ever,
      created: when === "now" ? created : new Map(),
    }),
    since(address) {
      const { transactionIndex, logIndex } = created.get(address) ?? {};
      if (transactionIndex !== undefined && logIndex !== undefined)
        return { namedBy: { blockNumber: String(block), txHash: txHashAt(transactionIndex), logIndex } };
      const from = firstBlock(address);
      const isNamed = named.has(address) && from >= block;
      return {
        ...(from > block && { fromBlock: String(from) }),
        ...(isNamed && { namedBy: { blockNumber: String(from) } }),
      };
    },
    firstBlock,
  };
}

/** How a watched address takes part in a transaction, with its role: what an explanation shows. */
type Participation = Omit<Part, "matches" | "fromBlock">;

/** A part, and what the rule would see of the transaction if nobody took part in any other way. */
type PartAlone = {
  part: Participation;
  alone: Pick<TransactionParticipants, "addresses" | "internalAddresses" | "logs">;
};

type OnPart = (part: Participation, alone: Partial<PartAlone["alone"]>) => void;

/**
 * The parts of the watched addresses, in the order of the chain: in the transaction itself, in its logs, in its call frames.
 *
 * @param options.isWatched called with an address in lower case
 * @param options.withInternal whether call frames count; the bundle must then have traces
 * @throws what `participantsByTransaction` throws
 */
function partsOf(
  bundle: BlockBundle,
  transactionIndex: number,
  { isWatched, withInternal }: { isWatched: (address: string) => boolean; withInternal: boolean },
): PartAlone[] {
  const { transaction, receipt } = transactionAt(bundle, transactionIndex);
  const parts: PartAlone[] = [];
  const onPart: OnPart = (part, alone) => {
    if (isWatched(part.address)) parts.push({ part, alone: { ...nobody, ...alone } });
  };
  const parties = {
    from: senderOf(transaction, receipt),
    to: receiverOf(transaction, receipt),
    created_contract: createdContract(receipt),
  };
  for (const role of ["from", "to", "created_contract"] as const) {
    const address = parties[role];
    if (address) onPart({ address, role }, { addresses: new Set([address]) });
  }
  if (!hasFailed(receipt)) for (const [logIndex, log] of receipt.logs.entries()) eachOfLog(log, logIndex, onPart);
  if (withInternal) eachOfFrames(bundle, transactionIndex, new Set(Object.values(parties)), onPart);
  return parts;
}

const nobody: PartAlone["alone"] = { addresses: new Set(), internalAddresses: new Set(), logs: [] };

function eachOfLog({ address: emitter, topics }: WireLog, logIndex: number, onPart: OnPart): void {
  const topic0 = topics[0]?.toLowerCase() ?? null;
  const place = { logIndex, ...(topic0 !== null && { topic0 }) };
  const add = (address: string, role: Participation["role"]) =>
    onPart({ address, role, ...place }, { addresses: new Set([address]), logs: [{ topic0, addresses: [address] }] });
  add(emitter.toLowerCase(), "emitter");
  for (const [index, role] of (["topic1", "topic2", "topic3"] as const).entries()) {
    const argument = addressIn(topics[index + 1] ?? "");
    if (argument !== undefined) add(argument, role);
  }
}

/** @param parties those of the transaction, whom the top frame repeats */
function eachOfFrames(
  bundle: BlockBundle,
  transactionIndex: number,
  parties: ReadonlySet<string | undefined>,
  onPart: OnPart,
): void {
  for (const [index, { from, to }] of standingFrames(bundle, transactionIndex).entries()) {
    const place = index === 0 ? {} : { internalIndex: index - 1 };
    const add = (address: string, role: Participation["role"]) => {
      if (index === 0 && parties.has(address)) return;
      onPart({ address, role, ...place }, { internalAddresses: new Set([address]) });
    };
    add(from.toLowerCase(), "call_from");
    if (to) add(to.toLowerCase(), "call_to");
  }
}
