/**
 * Answers what a webhook would be notified of in a block, and why. The rule in rule.ts decides, on the whole transaction and on each part of
 * it alone; nothing here knows it.
 */
import type { components } from "../../generated/types.ts";
import type { AnsweredTransaction, BlockAnswer } from "../explanation.ts";
import { buildEvent, eventText } from "./event.ts";
import { participantsByTransaction, type TransactionParticipants } from "./participants.ts";
import { partsOf } from "./parts.ts";
import { seconds } from "./quantities.ts";
import { matchBlock, type WebhookFilter } from "./rule.ts";
import { previewSentence } from "./sentences.ts";
import type { BlockBundle } from "./wire.ts";

type Part = components["schemas"]["Part"];

/** Plain data: it goes to another thread. */
export type BlockQuestion = {
  webhook: WebhookFilter;
  /** The watched addresses in lower case, each with the first block for which it is watched. */
  watched: ReadonlyMap<string, number>;
  /** Only this transaction, in lower case, whether it matches or not. */
  txHash?: string;
  /** Whether to build payloads. */
  payloads: boolean;
};

export const mostTransactions = 20;
export const mostParts = 20;
/** Characters of payloads in an answer. Only the first payload may be longer. */
const mostText = 1_000_000;

/** @throws what `participantsByTransaction` and `buildEvent` throw */
export function answerQuestion(bundle: BlockBundle, chainId: string, question: BlockQuestion): BlockAnswer {
  const { webhook, watched, txHash, payloads } = question;
  const number = Number(bundle.block.number);
  const wanted = participantsByTransaction(bundle).filter(
    ({ transactionHash }) => txHash === undefined || transactionHash === txHash,
  );
  const inEffect = [...watched].filter(([, from]) => from <= number).map(([address]) => address);
  const rules = { now: ruleOf(webhook, inEffect), ever: ruleOf(webhook, watched.keys()) };
  const matched = rules.now(wanted);
  const shown = txHash === undefined ? wanted.filter((transaction) => matched.has(transaction)) : wanted;
  const transactions: AnsweredTransaction[] = [];
  let length = 0;
  for (const transaction of shown.slice(0, mostTransactions)) {
    const answered = explainTransaction(bundle, transaction, { ...question, ...rules });
    if (payloads && answered.matches) {
      answered.eventText = eventText(buildEvent(bundle, transaction.transactionIndex, { chainId, ...webhook }));
      length += answered.eventText.length;
      if (length > mostText && transactions.length > 0) break;
    }
    transactions.push(answered);
  }
  return {
    blockTimestamp: seconds(bundle.block.timestamp),
    transactionCount: wanted.length,
    matchCount: matched.size,
    transactions,
  };
}

/** @returns those of the transactions that the webhook matches */
type Rule = (transactions: readonly TransactionParticipants[]) => ReadonlySet<TransactionParticipants>;

/** The rule for a webhook that watches these addresses. */
function ruleOf(webhook: WebhookFilter, addresses: Iterable<string>): Rule {
  const watching = [webhook];
  const watchedBy = new Map<string, readonly WebhookFilter[]>();
  for (const address of addresses) watchedBy.set(address, watching);
  return (transactions) => new Set(matchBlock(transactions, watchedBy).map(({ transaction }) => transaction));
}

function explainTransaction(
  bundle: BlockBundle,
  transaction: TransactionParticipants,
  { webhook, watched, now, ever }: BlockQuestion & { now: Rule; ever: Rule },
): AnsweredTransaction {
  const { transactionHash: txHash, transactionIndex } = transaction;
  const number = Number(bundle.block.number);
  const found = partsOf(bundle, transactionIndex, {
    isWatched: (address) => watched.has(address),
    withInternal: webhook.includeInternalTxs && bundle.traces !== undefined,
  });
  const parts = found.map(({ part, alone }): Part => {
    const from = watched.get(part.address) ?? 0;
    const later = from > number && { fromBlock: String(from) };
    return { ...part, matches: ever([{ ...transaction, ...alone }]).size > 0, ...later };
  });
  const matchesNow = now([transaction]).size > 0;
  const matches = matchesNow || ever([transaction]).size > 0;
  const about = { parts: firstParts(parts), partCount: parts.length };
  const reason = matchesNow ? "matches" : matches ? "not_yet_effective" : noMatch(parts);
  const fromBlock = reason === "not_yet_effective" && { fromBlock: String(firstEffective(parts, watched)) };
  const reasoned = { reason, ...about, ...fromBlock } as const;
  return { txHash, transactionIndex, matches, reason, message: previewSentence(reasoned), ...about, ...fromBlock };
}

/** @returns the first block for which an address is watched by which the transaction would match */
function firstEffective(parts: readonly Part[], watched: ReadonlyMap<string, number>): number {
  return Math.min(...parts.filter(({ matches }) => matches).map(({ address }) => watched.get(address) ?? 0));
}

const noMatch = (parts: readonly Part[]) => (parts.length === 0 ? "not_watched" : "other_event");

/** Those by which it matches come first. */
function firstParts(parts: readonly Part[]): Part[] {
  const first = parts.filter(({ matches }) => matches).slice(0, mostParts);
  return [...first, ...parts.filter(({ matches }) => !matches)].slice(0, mostParts);
}
