/** A block that was read: what recording must know of it. The whole of it stays where it was read, which may be another thread. */
import { activitiesOf, participantsOf } from "../../matching/participants.ts";
import { matchBlock } from "../../matching/rule.ts";
import type { BlockBundle, Hex } from "../../matching/wire.ts";
import type { NewEvent } from "../../store/outbox/append.ts";
import type { Watcher } from "../../store/webhooks/watchers.ts";
import { eventsOf } from "./events.ts";
import { weightOf } from "./weight.ts";

/** A block as its chain has it. */
export type ReadBlock = {
  number: number;
  hash: Hex;
  parentHash: Hex;
  /** About how many bytes it takes. */
  weight: number;
  /** Whether its traces were read too. */
  traced: boolean;
  transactions: number;
  /** Where no check can tell whether the header is the one that the hash names: what it hashes to by what is known. */
  unprovenHeader: Hex | undefined;
  /** How long reading it took, where that was noted. */
  times: BlockTimes | undefined;
  /** The distinct addresses that take part in any of its transactions, in lower case. */
  participants: readonly string[];
  /** Which of the watchers are notified of which transactions. */
  match(watchedBy: WatchedBy): Promise<Matches>;
};

/** When a block was asked for, whole, and checked, in ms since the epoch. */
export type BlockTimes = { askedAt: number; fetchedAt: number; checkedAt: number };

/** The watchers of each of the participants that has any. */
export type WatchedBy = ReadonlyMap<string, readonly Watcher[]>;

/** Who is notified of what, in the order of the chain. */
export type Matches = {
  /** Each once, however many share it. */
  events: NewEvent[];
  /** `event` is an index of `events`. */
  pairs: (Pick<Watcher, "id" | "shard"> & { event: number })[];
};

/** @param bundle a checked block and all that belongs to it */
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
    async match(watchedBy) {
      const eventOf = eventsOf(bundle, chainId);
      const indexOf = new Map<NewEvent, number>();
      const pairs = matchBlock(activitiesOf(bundle), watchedBy).map(({ activity, webhook }) => {
        const made = eventOf(activity.transactionIndex, webhook);
        const event = indexOf.get(made) ?? indexOf.size;
        indexOf.set(made, event);
        return { id: webhook.id, shard: webhook.shard, event };
      });
      return { events: [...indexOf.keys()], pairs };
    },
  };
}
