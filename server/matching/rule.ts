/**
 * The matching rule: which webhooks each transaction of a block matches. The work grows with the block, the watchers of its participants
 * and the matches, but not with their product: 10,000 webhooks may watch an address that emits 10,000 logs in one transaction.
 */
import { type ConditionalMatch, fulfilling, fulfillingAnywhere } from "./conditional.ts";
import { type Candidates, createCandidates } from "./conditions/candidates.ts";
import type { Created } from "./created.ts";
import { type Efforts, unitsOf } from "./effort.ts";
import type { WebhookFilter } from "./new-webhook.ts";
import type { TransactionParticipants } from "./participants.ts";
import type { BlockBundle } from "./wire.ts";

/** A webhook that a transaction matched. */
export type Match<Webhook extends WebhookFilter = WebhookFilter> = {
  transaction: TransactionParticipants;
  webhook: Webhook;
};

/**
 * @param transactions the block's, from `participantsByTransaction`
 * @param watchedBy the webhooks that watch an address, by the address in lower case
 * @param bundle the block; webhooks with conditions need it
 * @returns at most one match for each webhook and transaction, in chain order, and within a transaction by the webhook's id; nothing if an
 *   account costs too much
 */
export function matchBlock<Webhook extends WebhookFilter>(
  transactions: readonly TransactionParticipants[],
  watchedBy: ReadonlyMap<string, readonly Webhook[]>,
  bundle?: BlockBundle,
  beyond: WatchedBeyond<Webhook> = {},
): Match<Webhook>[] {
  const { anywhere = [], efforts } = beyond;
  const watchers = indexWatchers(watchedBy, { ...beyond, anywhere: anywhere.filter((one) => !hasConditions(one)) });
  const isCostly = () => efforts !== undefined && efforts.costly.size > 0;
  const matches = transactions.flatMap((transaction) => {
    if (isCostly()) return [];
    const found = [...webhooksMatching(transaction, watchers).values()];
    if (efforts)
      for (const webhook of found)
        efforts.add(webhook.accountId, hasConditions(webhook) ? { units: unitsOf.candidateMatch } : { matches: 1 });
    return found.sort((a, b) => (a.id < b.id ? -1 : 1)).map((webhook) => ({ transaction, webhook }));
  });
  if (isCostly()) return [];
  const conditional = matches.filter(({ webhook }) => hasConditions(webhook));
  const conditionalAnywhere = anywhere.filter(hasConditions);
  if (conditional.length + conditionalAnywhere.length === 0) return matches;
  if (!bundle) throw new Error("a webhook has conditions, for which the block is needed");
  const candidates = createCandidates(bundle, efforts);
  const fulfils = fulfilment(candidates, conditional, watchedBy, beyond);
  if (isCostly()) return [];
  const found = matches.filter((match) => !hasConditions(match.webhook) || fulfils(match));
  const foundAnywhere = conditionalAnywhere.flatMap((webhook) =>
    isCostly()
      ? []
      : fulfillingAnywhere(candidates, webhook, transactions).map((transaction) => ({ transaction, webhook })),
  );
  for (const { webhook } of efforts ? [...found, ...foundAnywhere] : [])
    if (hasConditions(webhook)) efforts?.add(webhook.accountId, { matches: 1 });
  if (isCostly()) return [];
  return foundAnywhere.length === 0 ? found : [...found, ...foundAnywhere].sort(byPlace);
}

const hasConditions = ({ options }: WebhookFilter) => options?.conditions !== undefined;

function byPlace(a: Match, b: Match): number {
  const difference = a.transaction.transactionIndex - b.transaction.transactionIndex;
  return difference || (a.webhook.id < b.webhook.id ? -1 : 1);
}

/** Evaluates the conditions of each webhook for all its transactions together. */
function fulfilment<Webhook extends WebhookFilter>(
  candidates: Candidates,
  matches: readonly Match<Webhook>[],
  watchedBy: ReadonlyMap<string, readonly Webhook[]>,
  { created = [] }: WatchedBeyond<Webhook>,
): (match: Match<Webhook>) => boolean {
  type Made = { addresses: Set<string>; created: Map<string, { transactionIndex: number; logIndex: number }> };
  const watches = new Map<string, Made>();
  const byWebhook = new Map<string, ConditionalMatch & { transactions: TransactionParticipants[] }>();
  for (const { webhook, transaction } of matches) {
    const known = byWebhook.get(webhook.id);
    if (known) known.transactions.push(transaction);
    else {
      const made: Made = { addresses: new Set(), created: new Map() };
      watches.set(webhook.id, made);
      byWebhook.set(webhook.id, { webhook, watch: made, transactions: [transaction] });
    }
  }
  for (const [address, webhooks] of watchedBy) for (const { id } of webhooks) watches.get(id)?.addresses.add(address);
  for (const { webhooks, contracts } of created)
    for (const { id } of webhooks)
      for (const { address, ...since } of watches.has(id) ? contracts : [])
        watches.get(id)?.created.set(address, since);
  const all = [...byWebhook.values()];
  const fulfilled = fulfilling(candidates, all);
  const ofWebhook = new Map(all.map(({ webhook }, index) => [webhook.id, fulfilled[index]]));
  return ({ webhook, transaction }) => ofWebhook.get(webhook.id)?.has(transaction.transactionIndex) ?? false;
}

function webhooksMatching<Webhook extends WebhookFilter>(
  transaction: TransactionParticipants,
  { of, anywhere, createdIn, watch }: WatcherIndex<Webhook>,
): Map<string, Webhook> {
  const { addresses, internalAddresses, logs } = transaction;
  const matched = new Map<string, Webhook>();
  const added = new Set<readonly Webhook[]>();
  const add = (webhooks: readonly Webhook[] | undefined) => {
    if (!webhooks || added.has(webhooks)) return;
    added.add(webhooks);
    for (const webhook of webhooks) matched.set(webhook.id, webhook);
  };
  let bySignature = anywhere.ofLogs.size > 0;
  add(anywhere.ofTransactions);
  for (const address of addresses) {
    const watchers = of(address);
    if (!watchers) continue;
    add(watchers.ofTransactions);
    bySignature ||= watchers.ofLogs.size > 0;
  }
  for (const address of internalAddresses) add(of(address)?.ofCallFrames);
  const created = createdIn(transaction.transactionIndex);
  // Participants of a log are participants of the transaction, and nobody watches most transactions.
  if (!bySignature && !created) return matched;
  for (const [logIndex, { topic0, addresses }] of logs.entries()) {
    if (topic0 !== null) {
      add(anywhere.ofLogs.get(topic0));
      for (const address of addresses) add(of(address)?.ofLogs.get(topic0));
    }
    if (!created) continue;
    for (const address of addresses)
      for (const { logIndex: since, watchers } of created.get(address) ?? [])
        if (logIndex > since) {
          add(watchers.ofTransactions);
          if (topic0 !== null) add(watchers.ofLogs.get(topic0));
        }
  }
  if (created) watch(created);
  return matched;
}

/** The webhooks that watch one address, by what they match. */
type AddressWatchers<Webhook> = {
  /** Without signatures. */
  ofTransactions: Webhook[];
  /** Without signatures, with internal transactions. */
  ofCallFrames: Webhook[];
  /** With signatures, by signature. */
  ofLogs: Map<string, Webhook[]>;
};

/** What few blocks have watchers of. */
type WatchedBeyond<Webhook> = {
  /** Webhooks with `anyAddress`. */
  anywhere?: readonly Webhook[];
  /** What factories create in the block, from `createdContracts`. */
  created?: readonly Created<Webhook>[];
  /** Counts what each account costs. As soon as one is over the limit, matching ends. */
  efforts?: Efforts | undefined;
};

/** What a transaction's log created, by address: watched from the log after it. */
type CreatedHere<Webhook> = Map<
  string,
  { logIndex: number; webhooks: readonly Webhook[]; watchers: AddressWatchers<Webhook> }[]
>;

type WatcherIndex<Webhook> = {
  of(address: string): AddressWatchers<Webhook> | undefined;
  anywhere: AddressWatchers<Webhook>;
  createdIn(transactionIndex: number): CreatedHere<Webhook> | undefined;
  /** Watches what a transaction created in all later ones. */
  watch(created: CreatedHere<Webhook>): void;
};

/** Sorts the watchers of an address when they are first needed. */
function indexWatchers<Webhook extends WebhookFilter>(
  watchedBy: ReadonlyMap<string, readonly Webhook[]>,
  { anywhere = [], created = [] }: WatchedBeyond<Webhook>,
): WatcherIndex<Webhook> {
  const known = new Map<string, AddressWatchers<Webhook>>();
  /** Thousands of contracts may have the same thousands of watchers. */
  const sorted = new Map<readonly Webhook[], AddressWatchers<Webhook>>();
  const later = new Map<string, readonly Webhook[]>();
  const byTransaction = new Map<number, CreatedHere<Webhook>>();
  const sort = (webhooks: readonly Webhook[]) => {
    const watchers = sorted.get(webhooks) ?? sortWatchers(webhooks);
    sorted.set(webhooks, watchers);
    return watchers;
  };
  for (const { webhooks, contracts } of created)
    for (const { address, transactionIndex, logIndex } of contracts) {
      const here: CreatedHere<Webhook> = byTransaction.get(transactionIndex) ?? new Map();
      byTransaction.set(transactionIndex, here);
      here.set(address, [...(here.get(address) ?? []), { logIndex, webhooks, watchers: sort(webhooks) }]);
    }
  return {
    anywhere: sortWatchers(anywhere),
    createdIn: (transactionIndex) => byTransaction.get(transactionIndex),
    of(address) {
      const isKnown = known.get(address);
      if (isKnown) return isKnown;
      const webhooks = later.get(address) ?? watchedBy.get(address);
      if (!webhooks) return undefined;
      const watchers = sort(webhooks);
      known.set(address, watchers);
      return watchers;
    },
    watch(created) {
      for (const [address, all] of created)
        for (const { webhooks } of all) {
          const before = later.get(address) ?? watchedBy.get(address);
          later.set(address, before ? [...before, ...webhooks] : webhooks);
          known.delete(address);
        }
    },
  };
}

function sortWatchers<Webhook extends WebhookFilter>(webhooks: readonly Webhook[]): AddressWatchers<Webhook> {
  const watchers: AddressWatchers<Webhook> = { ofTransactions: [], ofCallFrames: [], ofLogs: new Map() };
  for (const webhook of webhooks) {
    const { eventSignatures } = webhook;
    if (eventSignatures.size === 0) {
      watchers.ofTransactions.push(webhook);
      if (webhook.includeInternalTxs) watchers.ofCallFrames.push(webhook);
    }
    for (const signature of eventSignatures) {
      const watching = watchers.ofLogs.get(signature);
      if (watching) watching.push(webhook);
      else watchers.ofLogs.set(signature, [webhook]);
    }
  }
  return watchers;
}
