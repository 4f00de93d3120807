/**
 * Which of a block's matches fulfil the conditions of their webhook. Nobody else pays for them: where no match has conditions, nothing here is
 * called.
 */

import { compileAbi } from "./abi.ts";
import { absent, type Candidate, type Candidates, internalTopic, noTopic } from "./conditions/candidates.ts";
import type { WatchedParties } from "./conditions/comparison.ts";
import { keepHolding } from "./conditions/tree.ts";
import { type CompiledConditions, compileConditions } from "./conditions.ts";
import { unitsOf } from "./effort.ts";
import type { WebhookFilter } from "./new-webhook.ts";
import { comparisonsIn } from "./new-webhook.ts";
import type { TransactionParticipants } from "./participants.ts";

/** What a webhook watches in a block. */
export type Watch = {
  /** Among the block's participants; any if it is undefined. */
  addresses: ReadonlySet<string> | undefined;
  /** Contracts that are watched from a log of this block on: after it in its transaction, and in all later ones. */
  created: ReadonlyMap<string, { transactionIndex: number; logIndex: number }>;
};

/** The transactions that a webhook with conditions matches by its addresses and signatures. */
export type ConditionalMatch = {
  webhook: WebhookFilter;
  watch: Watch;
  transactions: readonly TransactionParticipants[];
};

/** @returns for each webhook, the indexes of the transactions that fulfil its conditions */
export function fulfilling(candidates: Candidates, matches: readonly ConditionalMatch[]): ReadonlySet<number>[] {
  const compiled = matches.map((match) => ({ ...match, ...conditionsOf(match.webhook) }));
  // A test is of the candidates that there are when it is prepared.
  for (const { transactions, ofTransaction } of compiled)
    for (const one of transactions)
      if (ofTransaction) candidates.transaction(one.transactionIndex);
      else candidates.activity(one);
  return compiled.map((match) => {
    if (candidates.efforts && candidates.efforts.costly.size > 0) return new Set<number>();
    const { webhook, watch, tree, ofTransaction } = match;
    const [address] = watch.addresses?.size === 1 && watch.created.size === 0 ? watch.addresses : [];
    // Thousands of webhooks may watch the one contract that emits a block's logs.
    const own =
      address !== undefined
        ? candidates.shared(`${address} ${ofTransaction} ${kindOf(webhook)}`, () =>
            candidatesOf(candidates, match, match),
          ).places
        : candidatesOf(candidates, match, match);
    const fulfilling = counted(candidates, { webhook, places: own.length }, () =>
      keepHolding(tree, own, { candidates, watched: watchedIds(candidates, watch) }),
    );
    return transactionsOf(candidates, fulfilling);
  });
}

/** Evaluates conditions, and counts for the webhook's account what that costs. */
function counted<T>(candidates: Candidates, of: { webhook: WebhookFilter; places: number }, evaluate: () => T): T {
  const before = candidates.decoded.words;
  const result = evaluate();
  const { accountId, options } = of.webhook;
  const comparisons = options?.conditions ? comparisonsIn(options.conditions) : 0;
  const words = candidates.decoded.words - before;
  candidates.efforts?.add(accountId, { units: of.places * comparisons + words * unitsOf.word });
  return result;
}

/** What decides which logs and transfers a webhook matches by themselves, besides its addresses. */
const kindOf = ({ eventSignatures, includeInternalTxs }: WebhookFilter) =>
  `${includeInternalTxs} ${[...eventSignatures].sort().join()}`;

function transactionsOf({ all }: Candidates, places: Int32Array): Set<number> {
  const indexes = new Set<number>();
  let last = -1;
  for (const at of places) {
    const index = all[at]?.transactionIndex ?? -1;
    // Those of one transaction are mostly next to each other.
    if (index !== last) indexes.add(index);
    last = index;
  }
  return indexes;
}

/**
 * Of a block's transactions, those that fulfil the conditions of a webhook with `anyAddress`. Webhooks with the same signatures share their
 * candidates, and those with the same conditions the result.
 */
export function fulfillingAnywhere(
  candidates: Candidates,
  webhook: WebhookFilter,
  transactions: readonly TransactionParticipants[],
): readonly TransactionParticipants[] {
  const { tree, ofTransaction } = conditionsOf(webhook);
  const { eventSignatures } = webhook;
  const kind = `${ofTransaction} ${kindOf(webhook)}`;
  const { places, results } = candidates.shared(kind, () =>
    ofTransaction
      ? transactions
          .filter((one) => hasSignature(one, eventSignatures))
          .map((one) => candidates.transaction(one.transactionIndex))
      : transactions.flatMap((one) => candidates.activity(one)).filter(matching(candidates, webhook)),
  );
  const known = results.get(tree);
  if (known) return known;
  const fulfilling = counted(candidates, { webhook, places: places.length }, () =>
    keepHolding(tree, places, { candidates, watched: () => anybody }),
  );
  const indexes = transactionsOf(candidates, fulfilling);
  const found = indexes.size === 0 ? [] : transactions.filter(({ transactionIndex }) => indexes.has(transactionIndex));
  results.set(tree, found);
  return found;
}

const hasSignature = ({ logs }: TransactionParticipants, signatures: ReadonlySet<string>) =>
  signatures.size === 0 || logs.some(({ topic0 }) => topic0 !== null && signatures.has(topic0));

/** Whether a candidate's log has one of the signatures, if there are any, and a call frame is wanted. Of candidates that there are by now. */
function matching(
  candidates: Candidates,
  { eventSignatures, includeInternalTxs }: WebhookFilter,
): (at: number) => boolean {
  const { topics } = candidates;
  if (eventSignatures.size === 0) return includeInternalTxs ? () => true : (at) => topics[at] !== internalTopic;
  const wanted = new Set([...eventSignatures].map((signature) => candidates.topicId(signature)));
  return (at) => wanted.has(topics[at] ?? noTopic);
}

export function conditionsOf({ options }: WebhookFilter): CompiledConditions {
  if (!options?.conditions) throw new Error("the webhook has no conditions");
  return compileConditions(options.conditions, options.abi && compileAbi(options.abi));
}

/** The addresses that a webhook watches, once they are asked for: most conditions compare no direction. */
export function watchedIds(candidates: Candidates, { addresses, created }: Watch): () => WatchedParties {
  if (addresses === undefined) return () => anybody;
  let known: WatchedParties | undefined;
  return () => {
    if (known) return known;
    const ids = new Set([...addresses].map((address) => candidates.idOf(address)));
    const since = new Map([...created].map(([address, place]) => [candidates.idOf(address), place]));
    const has = (id: number, at: number) => {
      const place = ids.has(id) ? undefined : since.get(id);
      const candidate = place && candidates.all[at];
      return candidate ? isAfter(candidate, place) : ids.has(id);
    };
    known = since.size === 0 ? ids : { has };
    return known;
  };
}

/** Of the transaction that creates, only later logs are. */
const isAfter = (
  { transactionIndex, logIndex }: Pick<Candidate, "transactionIndex" | "logIndex">,
  since: { transactionIndex: number; logIndex: number },
) =>
  transactionIndex > since.transactionIndex ||
  (transactionIndex === since.transactionIndex && logIndex !== null && logIndex > since.logIndex);

/** What a candidate lacks, nobody watches. */
const anybody: WatchedParties = { has: (id) => id !== absent };

/**
 * What the conditions may hold for. Each matches by itself: a watched address takes part in the log or in its transfer, and the log has one of
 * the signatures.
 */
export function candidatesOf(
  candidates: Candidates,
  { ofTransaction }: CompiledConditions,
  { webhook, watch, transactions }: ConditionalMatch,
): readonly number[] {
  if (ofTransaction) return transactions.map(({ transactionIndex }) => candidates.transaction(transactionIndex));
  const places = transactions.flatMap((transaction) => {
    const [first = [], ...others] = placesIn(candidates, transaction, watch);
    // Several watched addresses may have a part in one log.
    return others.length === 0 ? first : [...new Set([first, ...others].flat())].sort((a, b) => a - b);
  });
  return places.filter(matching(candidates, webhook));
}

/** A list for each watched address that has a part. */
function placesIn(
  candidates: Candidates,
  transaction: TransactionParticipants,
  { addresses, created }: Watch,
): readonly (readonly number[])[] {
  const byAddress = candidates.byAddress(transaction);
  if (addresses === undefined) return [candidates.activity(transaction)];
  const lists: (readonly number[])[] = [];
  const add = (address: string) => {
    const places = byAddress.get(address);
    if (places) lists.push(places);
  };
  // A webhook may watch thousands of the block's addresses, and a transaction have thousands of logs.
  if (addresses.size <= byAddress.size) for (const address of addresses) add(address);
  else for (const address of byAddress.keys()) if (addresses.has(address)) add(address);
  for (const [address, since] of created) {
    const places = addresses.has(address) ? undefined : byAddress.get(address);
    const isLater = (at: number) => {
      const candidate = candidates.all[at];
      return candidate !== undefined && isAfter(candidate, since);
    };
    if (places) lists.push(places.filter(isLater));
  }
  return lists;
}
