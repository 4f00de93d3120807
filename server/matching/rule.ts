/**
 * The matching rule: which webhooks a block's transactions are notified to. The work grows with the block, the watchers of
 * its participants and the matches, but not with their product: an address may be watched by 10,000 webhooks and emit 10,000
 * logs in one transaction.
 */
import type { TransactionActivity } from "./participants.ts";

/** What the rule must know of a webhook; callers may carry more. */
export type WebhookFilter = {
  /** A UUID in lower case. */
  id: string;
  /** In lower case. When empty, every part matches. */
  eventSignatures: ReadonlySet<string>;
  includeInternalTxs: boolean;
  /** Not looked at here; it decides on the payload. */
  includeLogs: boolean;
};

/** A transaction to notify a webhook of. */
export type Match<Webhook extends WebhookFilter = WebhookFilter> = { activity: TransactionActivity; webhook: Webhook };

/**
 * Applies the rule to a block.
 *
 * @param activities the block's, from `activitiesOf`
 * @param watchedBy the webhooks that watch an address, by the address in lower case
 * @returns at most one match for each webhook and transaction, in chain order, and within a transaction by the webhook's id
 */
export function matchBlock<Webhook extends WebhookFilter>(
  activities: readonly TransactionActivity[],
  watchedBy: ReadonlyMap<string, readonly Webhook[]>,
): Match<Webhook>[] {
  const watchersOf = indexed(watchedBy);
  return activities.flatMap((activity) =>
    [...matching(activity, watchersOf).values()]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((webhook) => ({ activity, webhook })),
  );
}

function matching<Webhook extends WebhookFilter>(
  { addresses, internalAddresses, logs }: TransactionActivity,
  watchersOf: (address: string) => Watchers<Webhook> | undefined,
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
    add(watchers.ofAnyPart);
    bySignature ||= watchers.ofLogs.size > 0;
  }
  for (const address of internalAddresses) add(watchersOf(address)?.ofCallFrames);
  // Whoever takes part in a log takes part in the transaction, and most transactions are watched by nobody.
  if (!bySignature) return matched;
  for (const { topic0, addresses } of logs)
    if (topic0 !== null) for (const address of addresses) add(watchersOf(address)?.ofLogs.get(topic0));
  return matched;
}

/** The webhooks that watch one address, by what makes them match. */
type Watchers<Webhook> = {
  /** Those without signatures. */
  ofAnyPart: Webhook[];
  /** Of those, the ones with internal transactions. */
  ofCallFrames: Webhook[];
  /** Those with signatures, by signature. */
  ofLogs: Map<string, Webhook[]>;
};

/** Sorts out the watchers of an address when it is first asked for. */
function indexed<Webhook extends WebhookFilter>(watchedBy: ReadonlyMap<string, readonly Webhook[]>) {
  const known = new Map<string, Watchers<Webhook>>();
  return (address: string): Watchers<Webhook> | undefined => {
    const webhooks = watchedBy.get(address);
    if (!webhooks) return undefined;
    const watchers = known.get(address) ?? sortedOut(webhooks);
    known.set(address, watchers);
    return watchers;
  };
}

function sortedOut<Webhook extends WebhookFilter>(webhooks: readonly Webhook[]): Watchers<Webhook> {
  const watchers: Watchers<Webhook> = { ofAnyPart: [], ofCallFrames: [], ofLogs: new Map() };
  for (const webhook of webhooks) {
    const { eventSignatures } = webhook;
    if (eventSignatures.size === 0) {
      watchers.ofAnyPart.push(webhook);
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
