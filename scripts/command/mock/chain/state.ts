/**
 * The mock's chains: the contract's examples, on which nothing happens, and perhaps one that is played. That one waits for its first active
 * webhook, and then goes on block by block. The service's own matching decides whom to notify of what.
 */
import { setImmediate as otherRequestsFirst } from "node:timers/promises";
import type { components } from "../../../../generated/types.ts";
import type { Contract } from "../../../../server/contract/contract.ts";
import {
  aboveNewestBlock,
  type PreviewedPlace,
  type WebhookPolicy,
} from "../../../../server/contract/webhook-input.ts";
import { finalityText, ownEventText } from "../../../../server/matching/event.ts";
import { decodingAbi, type WebhookFilter, type WebhookOptions } from "../../../../server/matching/new-webhook.ts";
import type { BlockBundle } from "../../../../server/matching/wire.ts";
import { CommandError } from "../../command-line.ts";
import type { Outbox } from "../state/outbox.ts";
import { change, type MockWebhook } from "../state/records.ts";
import type { Webhooks } from "../state/webhooks.ts";
import { knownTokens } from "./known-tokens.ts";
import type { RecordedChain } from "./recorded.ts";
import { endless } from "./rounds.ts";

type Chain = components["schemas"]["Chain"];

type Watcher = WebhookFilter & { accountId: number; shard: number };

/** What a block has for a webhook. */
export type ChainMatch = { webhook: MockWebhook; hash: string; txHash: string; eventText: string };

export type MockChains = {
  /** Whether this chain is played. */
  plays(chainId: string): boolean;
  /** The newest block played; undefined before the first. */
  followed(): number | undefined;
  /** The chains on which a webhook can be created: all, each with traces, since a mock cannot know an operator's. */
  policyFor(chainId: string): WebhookPolicy;
  /** From which block on a change holds now; nothing for a chain that is neither played nor an example. */
  firstBlockFor(chainId: string): { effectiveFromBlock?: string };
  /** From which block on a webhook that starts in the past is notified. @throws {HttpError} 400 above the newest block */
  historyFor(chainId: string, fromBlock: string): { effectiveFromBlock: string };
  /** Notifies a webhook of the blocks that were played from its first one on. Meanwhile it gets nothing of later ones. */
  playHistory(webhook: MockWebhook, mode?: string): Promise<void>;
  list(): Chain[];
  /** What the blocks played so far have for a webhook as it is now. */
  matchesOf(webhook: MockWebhook, from: bigint, to: bigint): Promise<ChainMatch[]>;
  /** Finds a block of the chain that is played, whether it was played already or comes next, by a transaction's hash or by its number. */
  find(place: PreviewedPlace): Promise<BlockBundle | undefined>;
  /** The contracts that a webhook's factory has created, each with the block that names it. */
  namedFor(webhook: MockWebhook): ReadonlyMap<string, number>;
  /** How many blocks a held notification of a transaction waits for; undefined if none is held. */
  missingBlocks(webhook: MockWebhook, txHash: string): number | undefined;
  reset(): void;
  stop(): void;
};

export type ChainOptions = {
  contract: Contract;
  webhooks: Webhooks;
  outbox: Outbox;
  say: (line: string) => void;
  recorded?: RecordedChain;
  blocksPerSecond?: number;
};

/** Older blocks are not found again. */
const searched = 1_000;

export function createChainState(options: ChainOptions): MockChains {
  const { contract, webhooks, outbox, say, recorded, blocksPerSecond = 1 } = options;
  if (!(blocksPerSecond >= 0.01 && blocksPerSecond <= 100)) throw new CommandError("speed must be from 0.01 to 100.");
  const rounds = endless(recorded?.bundles ?? []);
  /** How many blocks have been played. */
  let position = 0;
  const held = holdMatches();
  const named = new WeakMap<MockWebhook, Map<string, number>>();
  let generation = 0;
  let isBusy = false;
  const plays = (chainId: string) => chainId === recorded?.chainId;
  const followed = () => (recorded && position > 0 ? rounds.numberAt(position - 1) : undefined);

  async function playNext(): Promise<void> {
    const active = webhooks
      .own()
      .filter(({ record }) => plays(record.chainId) && record.status === "active" && !record.history);
    if (active.length === 0) return;
    const [at, current] = [position, generation];
    position += 1;
    const matched = await matches(at, active);
    if (current !== generation) return;
    const found = held.next(at, matched);
    notify(found);
    say(`BLOCK ${rounds.numberAt(at)} of chain ${recorded?.chainId}: ${counted(found.length, "notification")}`);
  }

  function notify(found: readonly ChainMatch[]): void {
    for (const { webhook, eventText } of found)
      if (!webhook.isDeleted && webhook.record.status === "active")
        void outbox.attempt(outbox.add(webhook, eventText), "schedule");
  }

  async function playHistory(webhook: MockWebhook, mode?: string): Promise<void> {
    const { record } = webhook;
    if (!plays(record.chainId)) return;
    const [from, current, ownHeld] = [BigInt(record.effectiveFromBlock), generation, holdMatches()];
    const isOver = () => current !== generation || webhook.isDeleted;
    let at = 0;
    while (at < position && BigInt(rounds.numberAt(at)) < from) at += 1;
    for (; at < position && !isOver(); at += 1) {
      const [next, until] = [rounds.numberAt(at), rounds.numberAt(position - 1)];
      record.history = {
        nextBlock: String(next),
        untilBlock: String(until),
        mode: mode === "headers" || mode === "logs" ? mode : "complete",
        ...(mode === "logs" && { nodesAgreed: 1 }),
      };
      await otherRequestsFirst();
      const found = ownHeld.next(at, record.status === "active" ? await matches(at, [webhook]) : []);
      if (!isOver()) notify(found);
    }
    if (isOver()) return;
    delete record.history;
    held.adopt(ownHeld);
  }

  async function matches(at: number, candidates: readonly MockWebhook[]): Promise<ChainMatch[]> {
    if (!recorded) return [];
    const block = recorded.read(rounds.bundleAt(at));
    const having = (option: "anyAddress" | "createdBy") =>
      candidates.filter(({ record }) => record.metadata[option]).map(watcherOf);
    const beyond = {
      anywhere: having("anyAddress"),
      factories: having("createdBy").map((watcher) => ({ ...watcher, isActive: true })),
    };
    const watched = watchedBy(block.participants, candidates);
    const { events, matches, created } = await block.match(watched, async () => knownTokens, beyond);
    const byId = new Map(candidates.map((webhook) => [webhook.record.id, webhook]));
    for (const { webhookIds, addresses } of created ?? [])
      for (const id of webhookIds) {
        const webhook = byId.get(id);
        if (!webhook) continue;
        const ofWebhook = named.get(webhook) ?? new Map<string, number>();
        named.set(webhook, ofWebhook);
        for (const address of addresses)
          if (!webhook.addresses.has(address)) ofWebhook.set(address, rounds.numberAt(at));
        change(webhook, addresses, "add");
      }
    return matches.flatMap(({ id, event }) => {
      const [webhook, found] = [byId.get(id), events[event]];
      return webhook && found
        ? [
            {
              webhook,
              hash: found.blockHash,
              txHash: found.transactionHash,
              eventText: ownEventText(found.body, decodingAbi(watcherOf(webhook).options)),
            },
          ]
        : [];
    });
  }

  const tick = async () => {
    if (isBusy) return;
    isBusy = true;
    await playNext().catch((error: unknown) => say(`The chain is not played any further: ${String(error)}`));
    isBusy = false;
  };
  const timer = recorded && setInterval(() => void tick(), 1_000 / blocksPerSecond).unref();

  return {
    plays,
    followed,
    policyFor(chainId) {
      const traces = plays(chainId) ? (recorded?.traces ?? true) : true;
      return { chains: [{ chainId, name: "", traces, finality: playedFinality }], allowPrivateTargets: true };
    },
    firstBlockFor(chainId) {
      if (plays(chainId)) return { effectiveFromBlock: String(rounds.numberAt(position)) };
      const followedBlock = exampleChains(contract).find((chain) => chain.chainId === chainId)?.followedBlock;
      return followedBlock === undefined ? {} : { effectiveFromBlock: String(BigInt(followedBlock) + 1n) };
    },
    historyFor(chainId, fromBlock) {
      const example = exampleChains(contract).find((chain) => chain.chainId === chainId)?.followedBlock;
      const newest = plays(chainId) ? String(followed() ?? rounds.numberAt(0)) : example;
      if (newest !== undefined && BigInt(fromBlock) > BigInt(newest)) throw aboveNewestBlock(chainId, newest);
      return { effectiveFromBlock: fromBlock };
    },
    playHistory,
    list() {
      const all = exampleChains(contract).filter(({ chainId }) => !plays(chainId));
      const at = followed();
      const progress = at === undefined ? {} : { headBlock: String(at), followedBlock: String(at), lagBlocks: 0 };
      const { chainId, traces } = recorded ?? {};
      const own = chainId !== undefined &&
        traces !== undefined && { chainId, name: "Recorded chain", traces, finality: playedFinality, ...progress };
      return [...all, ...(own ? [own] : [])].sort((a, b) => (BigInt(a.chainId) < BigInt(b.chainId) ? -1 : 1));
    },
    async matchesOf(webhook, from, to) {
      const found: ChainMatch[] = [];
      if (!plays(webhook.record.chainId)) return found;
      for (let at = 0; at < position; at += 1) {
        const number = BigInt(rounds.numberAt(at));
        if (number < from || number > to) continue;
        found.push(...(await matches(at, [webhook])));
        await otherRequestsFirst();
      }
      return found;
    },
    async find(place) {
      const has = ({ block }: BlockBundle) =>
        "txHash" in place
          ? block.transactions.some(({ hash }) => hash.toLowerCase() === place.txHash)
          : BigInt(block.number) === BigInt(place.blockNumber);
      const end = Math.max(position, recorded?.bundles.length ?? 0);
      for (let at = Math.max(0, end - searched); at < end; at += 1) {
        const bundle = rounds.bundleAt(at);
        if (has(bundle)) return bundle;
        await otherRequestsFirst();
      }
      return undefined;
    },
    namedFor: (webhook) => named.get(webhook) ?? new Map(),
    missingBlocks: (webhook, txHash) => held.missing(webhook, txHash, position - 1),
    reset() {
      held.reset();
      position = 0;
      generation += 1;
    },
    stop() {
      clearInterval(timer);
      generation += 1;
    },
  };
}

/** A webhook as the rule sees it. */
export function watcherOf({ record }: MockWebhook): Watcher {
  const { id, includeLogs, includeInternalTxs, compatibility } = record;
  const { addresses: _, eventSignatures, ...shown } = record.metadata;
  // The record shows them as they were read.
  const options: WebhookOptions = { ...(shown as WebhookOptions), ...(compatibility && { compatibility }) };
  return {
    id,
    accountId: 0,
    shard: 0,
    eventSignatures: new Set(eventSignatures),
    includeLogs,
    includeInternalTxs,
    options,
  };
}

function watchedBy(participants: readonly string[], webhooks: readonly MockWebhook[]): Map<string, Watcher[]> {
  const watchers = webhooks.map((webhook) => ({ addresses: webhook.addresses, watcher: watcherOf(webhook) }));
  const watched = new Map<string, Watcher[]>();
  for (const participant of participants) {
    const found = watchers.filter(({ addresses }) => addresses.has(participant)).map(({ watcher }) => watcher);
    if (found.length > 0) watched.set(participant, found);
  }
  return watched;
}

type WithExamples = { components: { examples: Record<string, { value: unknown }> } };

function exampleChains(contract: Contract): Chain[] {
  const { components } = contract as unknown as WithExamples;
  return (components.examples["chain-list"]?.value as components["schemas"]["ChainList"] | undefined)?.chains ?? [];
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

export const playedFinality = { confirmations: 2 };

type HeldMatch = ChainMatch & { position: number; depth: number; finalized: boolean };

export type HeldMatches = {
  /** The matches of the next block. @returns what is notified now, in order: of this block, and what has waited */
  next(position: number, matches: readonly ChainMatch[]): ChainMatch[];
  /** How many blocks a webhook's notification of a transaction waits for after the one at this position; undefined if it does not. */
  missing(webhook: ChainMatch["webhook"], txHash: string, position: number): number | undefined;
  /** What has waited elsewhere goes on waiting here. */
  adopt(other: HeldMatches): void;
  all(): readonly HeldMatch[];
  reset(): void;
};

export function holdMatches(): HeldMatches {
  let held: HeldMatch[] = [];
  return {
    next(position, matches) {
      const now: ChainMatch[] = [];
      for (const match of matches) {
        const { finality } = match.webhook.record;
        if (finality === undefined) now.push(match);
        if (finality === "both") now.push(stated(match, { confirmations: 0, finalized: false }));
        if (finality === undefined) continue;
        const depth = typeof finality === "object" ? finality.confirmations : playedFinality.confirmations;
        held.push({ ...match, position, depth, finalized: typeof finality !== "object" });
      }
      const isDue = (one: HeldMatch) => position - one.position >= one.depth;
      const due = held.filter(isDue);
      held = held.filter((one) => !isDue(one) && !one.webhook.isDeleted);
      for (const { webhook } of [...due, ...matches])
        if (webhook.record.finality !== undefined)
          webhook.record.heldCount = held.filter((one) => one.webhook === webhook).length;
      return [
        ...now,
        ...due.map(({ finalized, ...one }) => stated(one, { confirmations: position - one.position, finalized })),
      ];
    },
    missing(webhook, txHash, position) {
      const one = held.find((each) => each.webhook === webhook && each.txHash === txHash);
      return one && Math.max(0, one.position + one.depth - position);
    },
    adopt(other) {
      held.push(...other.all());
    },
    all: () => held,
    reset() {
      held = [];
    },
  };
}

function stated(
  { webhook, hash, txHash, eventText }: ChainMatch,
  says: Parameters<typeof finalityText>[1],
): ChainMatch {
  return { webhook, hash, txHash, eventText: finalityText(eventText, says) };
}
