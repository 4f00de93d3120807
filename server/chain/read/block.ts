/** A block that was read: what recording needs of it. Its bundle stays where it was read, which may be another thread. */
import type { BlockAnswer } from "../../explanation.ts";
import { type CompiledAbi, compileAbi } from "../../matching/abi.ts";
import { buildEvent, eventText } from "../../matching/event.ts";
import { participantsByTransaction, participantsOf } from "../../matching/participants.ts";
import { answerQuestion, type BlockQuestion } from "../../matching/question.ts";
import { type Match, matchBlock } from "../../matching/rule.ts";
import { type TokenBook, tokensMoved } from "../../matching/transfer-payload.ts";
import type { BlockBundle, Hex } from "../../matching/wire.ts";
import type { WebhookOptions } from "../../new-webhook.ts";
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
  /** Whether its traces were read, too. */
  traced: boolean;
  /** How many it has. */
  transactions: number;
  /** Set if no check can tell whether the block's hash names this header: what the header hashes to, as far as we know its fields. */
  unprovenHeader: Hex | undefined;
  times: BlockTimes | undefined;
  /** The distinct participants of all its transactions, in lower case. */
  participants: readonly string[];
  /** @param tokens asked once at most, and only if a match wants transfers of tokens; by default nothing is known of any */
  match(watchedBy: WatchedBy, tokens?: TokenSource): Promise<BlockMatches>;
  /** Answers what a webhook would be notified of, and why. */
  answer(question: BlockQuestion): Promise<BlockAnswer>;
  /** @returns its bundle as bytes, for the stream */
  pack(): Promise<Uint8Array>;
  /** Its place in the stream; undefined if a node returned it. */
  position?: StreamPosition;
};

/** When a block was requested, complete, and checked, in ms since the epoch. */
export type BlockTimes = { requestedAt: number; fetchedAt: number; checkedAt: number };

/** The watchers of each participant that has any. */
export type WatchedBy = ReadonlyMap<string, readonly Watcher[]>;

/** Finds what is known of the tokens of these contracts. */
export type TokenSource = (contracts: readonly string[]) => Promise<TokenBook>;

/** A block's matches, in the order of the chain. */
export type BlockMatches = {
  /** Each once, however many matches share it. */
  events: NewEvent[];
  /** A webhook by `id` and `shard`, with its finality, if it has one; `event` is an index of `events`. */
  matches: (Pick<Watcher, "id" | "shard"> & { event: number; finality?: WebhookOptions["finality"] })[];
};

/** @param bundle accepted */
export function readBlock(
  bundle: BlockBundle,
  chainId: string,
  { times, unprovenHeader }: { times?: BlockTimes; unprovenHeader?: Hex | undefined } = {},
): ReadBlock {
  const { number, hash, parentHash, transactions } = bundle.block;
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
    async match(watchedBy, tokens) {
      const found = matchBlock(participantsByTransaction(bundle), watchedBy);
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
      return { events: [...indexOf.keys()], matches };
    },
    answer: async (question) => answerQuestion(bundle, chainId, question),
    pack: async () => packBlock(bundle),
  };
}

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
  const variants = new Map<CompiledAbi | undefined, Map<string, NewEvent>>();
  return (transactionIndex, { includeLogs, includeInternalTxs, options }) => {
    // Without logs, nothing is decoded in the payload.
    const abi = includeLogs && options?.abi ? compileAbi(options.abi) : undefined;
    const events = variants.get(abi) ?? new Map<string, NewEvent>();
    variants.set(abi, events);
    const includeTransfers = options?.includeTransfers ?? false;
    const key = `${transactionIndex} ${includeLogs} ${includeInternalTxs} ${includeTransfers}`;
    const known = events.get(key);
    if (known) return known;
    const variant = { chainId, includeLogs, includeInternalTxs, includeTransfers, abi, tokens };
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
