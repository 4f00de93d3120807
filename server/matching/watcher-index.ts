/** The watchers of a block's addresses, sorted by what they match when they are first needed. */
import type { Created } from "./created.ts";
import type { Efforts } from "./effort.ts";
import type { WebhookFilter } from "./new-webhook.ts";

/** The webhooks that watch one address, by what they match. */
export type AddressWatchers<Webhook> = {
  /** Without signatures. */
  ofTransactions: Webhook[];
  /** Without signatures, with internal transactions. */
  ofCallFrames: Webhook[];
  /** With signatures, by signature. */
  ofLogs: Map<string, Webhook[]>;
};

/** What few blocks have watchers of. */
export type WatchedBeyond<Webhook> = {
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

export type WatcherIndex<Webhook> = {
  of(address: string): AddressWatchers<Webhook> | undefined;
  anywhere: AddressWatchers<Webhook>;
  createdIn(transactionIndex: number): CreatedHere<Webhook> | undefined;
  /** Watches what a transaction created in all later ones. */
  watch(created: CreatedHere<Webhook>): void;
};

/** Sorts the watchers of an address when they are first needed. */
export function indexWatchers<Webhook extends WebhookFilter>(
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
