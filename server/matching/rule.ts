/**
 * The matching rule: which webhooks each transaction of a block matches. The work grows with the block, the watchers of its participants
 * and the matches, but not with their product: 10,000 webhooks may watch an address that emits 10,000 logs in one transaction.
 */
import type { WebhookOptions } from "../new-webhook.ts";
import { type ConditionalMatch, fulfilling } from "./conditional.ts";
import type { TransactionParticipants } from "./participants.ts";
import type { BlockBundle } from "./wire.ts";

/** What the rule needs of a webhook. A caller's type may have more. */
export type WebhookFilter = {
  /** A UUID in lower case. */
  id: string;
  /** In lower case. If empty, every participant matches. */
  eventSignatures: ReadonlySet<string>;
  includeInternalTxs: boolean;
  /** Unused here; it decides on the payload. */
  includeLogs: boolean;
  /** Absent if it has none. */
  options?: WebhookOptions;
};

/** A webhook that a transaction matched. */
export type Match<Webhook extends WebhookFilter = WebhookFilter> = {
  transaction: TransactionParticipants;
  webhook: Webhook;
};

/**
 * @param transactions the block's, from `participantsByTransaction`
 * @param watchedBy the webhooks that watch an address, by the address in lower case
 * @param bundle the block; webhooks with conditions need it
 * @returns at most one match for each webhook and transaction, in chain order, and within a transaction by the webhook's id
 */
export function matchBlock<Webhook extends WebhookFilter>(
  transactions: readonly TransactionParticipants[],
  watchedBy: ReadonlyMap<string, readonly Webhook[]>,
  bundle?: BlockBundle,
): Match<Webhook>[] {
  const watchersOf = indexWatchers(watchedBy);
  const matches = transactions.flatMap((transaction) =>
    [...webhooksMatching(transaction, watchersOf).values()]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((webhook) => ({ transaction, webhook })),
  );
  const conditional = matches.filter(({ webhook }) => webhook.options?.conditions);
  if (conditional.length === 0) return matches;
  if (!bundle) throw new Error("a webhook has conditions, for which the block is needed");
  const fulfils = fulfilment(bundle, conditional, watchedBy);
  return matches.filter((match) => !match.webhook.options?.conditions || fulfils(match));
}

/** Evaluates the conditions of each webhook for all its transactions together. */
function fulfilment<Webhook extends WebhookFilter>(
  bundle: BlockBundle,
  matches: readonly Match<Webhook>[],
  watchedBy: ReadonlyMap<string, readonly Webhook[]>,
): (match: Match<Webhook>) => boolean {
  const byWebhook = new Map<string, ConditionalMatch & { transactions: TransactionParticipants[] }>();
  const addressesOf = new Map<string, Set<string>>();
  for (const { webhook, transaction } of matches) {
    const known = byWebhook.get(webhook.id);
    if (known) known.transactions.push(transaction);
    else {
      const addresses = new Set<string>();
      addressesOf.set(webhook.id, addresses);
      byWebhook.set(webhook.id, { webhook, watch: { addresses, created: new Map() }, transactions: [transaction] });
    }
  }
  for (const [address, webhooks] of watchedBy) for (const { id } of webhooks) addressesOf.get(id)?.add(address);
  const all = [...byWebhook.values()];
  const fulfilled = fulfilling(bundle, all);
  const ofWebhook = new Map(all.map(({ webhook }, index) => [webhook.id, fulfilled[index]]));
  return ({ webhook, transaction }) => ofWebhook.get(webhook.id)?.has(transaction.transactionIndex) ?? false;
}

function webhooksMatching<Webhook extends WebhookFilter>(
  { addresses, internalAddresses, logs }: TransactionParticipants,
  watchersOf: (address: string) => AddressWatchers<Webhook> | undefined,
): Map<string, Webhook> {
  const matched = new Map<string, Webhook>();
  const added = new Set<readonly Webhook[]>();
  const add = (webhooks: readonly Webhook[] | undefined) => {
    if (!webhooks || added.has(webhooks)) return;
    added.add(webhooks);
    for (const webhook of webhooks) matched.set(webhook.id, webhook);
  };
  let bySignature = false;
  for (const address of addresses) {
    const watchers = watchersOf(address);
    if (!watchers) continue;
    add(watchers.ofTransactions);
    bySignature ||= watchers.ofLogs.size > 0;
  }
  for (const address of internalAddresses) add(watchersOf(address)?.ofCallFrames);
  // Participants of a log are participants of the transaction, and nobody watches most transactions.
  if (!bySignature) return matched;
  for (const { topic0, addresses } of logs)
    if (topic0 !== null) for (const address of addresses) add(watchersOf(address)?.ofLogs.get(topic0));
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

/** Sorts the watchers of an address when they are first needed. */
function indexWatchers<Webhook extends WebhookFilter>(watchedBy: ReadonlyMap<string, readonly Webhook[]>) {
  const known = new Map<string, AddressWatchers<Webhook>>();
  return (address: string): AddressWatchers<Webhook> | undefined => {
    const webhooks = watchedBy.get(address);
    if (!webhooks) return undefined;
    const watchers = known.get(address) ?? sortWatchers(webhooks);
    known.set(address, watchers);
    return watchers;
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
