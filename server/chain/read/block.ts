/** A block that was read: what recording needs of it. Its bundle stays where it was read, which may be another thread. */

import { type Created, createdContracts } from "../../matching/created.ts";
import { type EffortLimit, Efforts } from "../../matching/effort.ts";
import { buildEvent, eventText, variantOf } from "../../matching/event.ts";
import type { AskedBlock, BlockAnswer } from "../../matching/explanation.ts";
import type { WebhookOptions } from "../../matching/new-webhook.ts";
import {
  participantsByTransaction,
  participantsOf,
  type TransactionParticipants,
} from "../../matching/participants.ts";
import { answerQuestion, type BlockQuestion, tokensOf } from "../../matching/question.ts";
import { type Match, matchBlock } from "../../matching/rule.ts";
import { type TokenBook, tokensMoved } from "../../matching/transfers.ts";
import type { BlockBundle, Hex, WireBlock } from "../../matching/wire.ts";
import type { StreamPosition } from "../../store/chains/cursor.ts";
import type { NewEvent } from "../../store/outbox/append.ts";
import type { Watcher } from "../../store/webhooks/watchers.ts";
import { packBlock } from "./packed-block.ts";
import { weightOf } from "./run-length.ts";

export type ReadBlock = {
  number: number;
  hash: Hex;
  parentHash: Hex;
  /** Its approximate size in bytes. */
  weight: number;
  /** Set if only its header was read, whose bloom denies everything that is looked for. Then it has no participants. */
  isPassed?: true;
  /** Whether its traces were read, too. */
  traced: boolean;
  /** How many it has. */
  transactions: number;
  /** Set if no check can tell whether the block's hash names this header: what the header hashes to, as far as we know its fields. */
  unprovenHeader: Hex | undefined;
  times: BlockTimes | undefined;
  /** The distinct participants of all its transactions, in lower case. */
  participants: readonly string[];
  /**
   * @param tokens asked once at most, and only if a match wants transfers of tokens; by default nothing is known of any
   * @param beyond by default nobody
   */
  match(watchedBy: WatchedBy, tokens?: TokenSource, beyond?: WatchedBeyond): Promise<BlockMatches>;
  /** Answers what a webhook would be notified of, and why. @param tokens as with `match`, for the payloads */
  answer(question: BlockQuestion, tokens?: TokenSource): Promise<AnswerText>;
  /** @returns its bundle as bytes, for the stream */
  pack(): Promise<Uint8Array>;
  /** Its place in the stream; undefined if a node returned it. */
  position?: StreamPosition;
};

/** An answer as it is written: it may have megabytes, and only whoever asked needs its parts. */
export type AnswerText = {
  /** JSON of the block and the answer. */
  json: string;
  /** Whether it has no transaction. */
  isEmpty: boolean;
};

/** When a block was requested, complete, and checked, in ms since the epoch. */
type BlockTimes = { requestedAt: number; fetchedAt: number; checkedAt: number };

/** The watchers of each participant that has any. */
export type WatchedBy = ReadonlyMap<string, readonly Watcher[]>;

/** Those whom no address of theirs finds. */
export type WatchedBeyond = {
  /** Webhooks with `anyAddress`. */
  anywhere: readonly Watcher[];
  /** Webhooks whose factory may have created contracts. Inactive ones match nothing, but keep watching more. */
  factories: readonly (Watcher & { isActive: boolean })[];
  /** How much of the block each account may take; by default anything. */
  limit?: EffortLimit | undefined;
};
/** Finds what is known of the tokens of these contracts. */
export type TokenSource = (contracts: readonly string[]) => Promise<TokenBook>;

/** A block's matches, in the order of the chain. */
export type BlockMatches = {
  /** Each once, however many matches share it. */
  events: NewEvent[];
  /** A webhook by `id` and `shard`, with its finality, if it has one; `event` is an index of `events`. */
  matches: (Pick<Watcher, "id" | "shard"> & { event: number; finality?: WebhookOptions["finality"] })[];
  /** What factories created, and whose factories they are. Absent if nothing. */
  created?: readonly { webhookIds: readonly string[]; addresses: readonly string[] }[];
  /** The accounts that take more than the limit. Then there is nothing else. */
  costly?: readonly number[];
};

/** @param bundle accepted */
export function readBlock(
  bundle: BlockBundle,
  chainId: string,
  { times, unprovenHeader }: { times?: BlockTimes; unprovenHeader?: Hex | undefined } = {},
): ReadBlock {
  const { number, hash, parentHash, transactions } = bundle.block;
  let known: TransactionParticipants[] | undefined;
  const participants = () => {
    // A block may be matched several times, for some webhooks each: of 60,000 logs it takes 50 ms.
    known ??= participantsByTransaction(bundle);
    return known;
  };
  return {
    number: Number(number),
    hash,
    parentHash,
    weight: weightOf(bundle),
    traced: bundle.traces !== undefined,
    transactions: transactions.length,
    unprovenHeader,
    times,
    participants: participantsOf(bundle),
    async match(watchedBy, tokens, { anywhere, factories, limit } = nobody) {
      const efforts = limit && new Efforts(limit);
      const transactions = participants();
      const created = factories.length > 0 ? createdContracts(bundle, transactions, factories) : [];
      const watching = created.map(({ webhooks, contracts }) => ({
        webhooks: webhooks.filter(({ isActive }) => isActive),
        contracts,
      }));
      const found = matchBlock<Watcher>(transactions, watchedBy, bundle, { anywhere, created: watching, efforts });
      if (efforts && efforts.costly.size > 0) return { events: [], matches: [], costly: [...efforts.costly] };
      const contracts = tokens ? tokensWanted(bundle, found) : [];
      const eventOf = eventsOf(bundle, chainId, contracts.length > 0 ? await tokens?.(contracts) : undefined);
      const indexOf = new Map<NewEvent, number>();
      const matches = found.map(({ transaction, webhook }) => {
        const event = eventOf(transaction.transactionIndex, webhook);
        const index = indexOf.get(event) ?? indexOf.size;
        indexOf.set(event, index);
        const finality = webhook.options?.finality;
        return { id: webhook.id, shard: webhook.shard, event: index, ...(finality && { finality }) };
      });
      return { events: [...indexOf.keys()], matches, ...(created.length > 0 && { created: created.map(namesOf) }) };
    },
    async answer(question, tokens) {
      let answer = answerQuestion(bundle, chainId, question);
      const contracts = tokens ? tokensOf(bundle, question, answer) : [];
      if (contracts.length > 0) answer = answerQuestion(bundle, chainId, question, await tokens?.(contracts));
      const { number, hash } = bundle.block;
      const whole: AskedBlock & BlockAnswer = { blockNumber: Number(number), blockHash: hash, ...answer };
      return { json: JSON.stringify(whole), isEmpty: answer.transactions.length === 0 };
    },
    pack: async () => packBlock(bundle),
  };
}

/** A block of which only the header was read: it has nothing that is looked for. @param header proven by its hash */
export function passedBlock({ number, hash, parentHash, transactions }: WireBlock): ReadBlock {
  const unread = () => Promise.reject(new Error(`of block ${Number(number)} only the header was read`));
  return {
    ...{ number: Number(number), hash, parentHash, isPassed: true, traced: false, transactions: transactions.length },
    ...{ weight: 0, unprovenHeader: undefined, times: undefined, participants: [] },
    match: async () => ({ events: [], matches: [] }),
    answer: unread,
    pack: unread,
  };
}

const nobody: WatchedBeyond = { anywhere: [], factories: [] };

const namesOf = ({ webhooks, contracts }: Created<Watcher>) => ({
  webhookIds: webhooks.map(({ id }) => id),
  addresses: contracts.map(({ address }) => address),
});

/** The contracts of the tokens whose transfers the matches want. */
function tokensWanted(bundle: BlockBundle, matches: readonly Match<Watcher>[]): string[] {
  const indices = matches.flatMap(({ transaction, webhook }) =>
    webhook.options?.includeTransfers ? transaction.transactionIndex : [],
  );
  return [...new Set([...new Set(indices)].flatMap((index) => tokensMoved(bundle, index)))];
}

/** Builds a transaction's event once for each variant, however many webhooks share it. */
function eventsOf(
  bundle: BlockBundle,
  chainId: string,
  tokens: TokenBook | undefined,
): (transactionIndex: number, webhook: Watcher) => NewEvent {
  const events = new Map<string, NewEvent>();
  return (transactionIndex, webhook) => {
    const variant = variantOf(webhook, { chainId, tokens });
    const { includeLogs, includeInternalTxs, includeTransfers } = variant;
    const key = `${transactionIndex} ${includeLogs} ${includeInternalTxs} ${includeTransfers}`;
    const known = events.get(key);
    if (known) return known;
    const payload = buildEvent(bundle, transactionIndex, variant);
    const event: NewEvent = {
      blockNumber: Number(bundle.block.number),
      blockHash: bundle.block.hash,
      transactionHash: payload.transaction.txHash,
      transactionIndex,
      removed: false,
      body: eventText(payload),
    };
    events.set(key, event);
    return event;
  };
}
