/** Reads on in the streams of the owned shards: what is new on a chain. Accounts that have enough to do are read apart. */
import type { Account } from "./account.ts";
import { parkHeldUp } from "./endpoints.ts";
import type { FeedContext } from "./feed-context.ts";
import { type Shard, windowOf } from "./shard.ts";
import { type Behind, readPart } from "./stream-part.ts";
import { readApart, readPositionOf, rejoin, type Window } from "./window.ts";

/** With so many places behind one that is not done, what an endpoint holds up is parked: else they could grow without end. */
const placesLimit = 5_000;
/** So many positions are gone through at once, of which almost all may be left out. */
const positionsAtOnce = 100_000;

type Owned = { shard: Shard; window: Window };

/**
 * @param head the chain's newest position, and the day on which it was
 * @param busy accounts that have enough to do: others may have something in the stream behind theirs
 * @returns whether the stream may hold more that there is room for
 */
export async function readStreams(
  context: FeedContext,
  open: readonly Shard[],
  { chainId, ...head }: { chainId: string; upTo: number; today: string; busy: ReadonlySet<Account> },
): Promise<boolean> {
  const owned = open.map((shard) => ({ shard, window: windowOf(shard, chainId) }));
  const long = owned.filter(({ window }) => window.places.length > placesLimit);
  parkHeldUp(
    context,
    long.map(({ shard }) => shard),
  );
  const behind = (upTo: number) => owned.filter(({ window }) => window.readPosition < upTo);
  const busy = [...head.busy].map(({ id }) => id);
  const isNew = behind(head.upTo).length > 0;
  const apart = [...new Set([...owned.flatMap(({ window }) => [...window.apart.keys()]), ...(isNew ? busy : [])])];
  // In all windows alike, since one query reads of all of them.
  for (const { window } of owned) for (const id of apart) readApart(window, id);
  let more = await readPart(
    context,
    behind(head.upTo).map((each) => mainPart(each, head)),
    { chainId, but: apart },
  );
  for (const id of apart) {
    if (!busy.includes(id)) more = (await readAccount(context, owned, { chainId, only: id })) || more;
    if (owned.every(({ window }) => readPositionOf(window, id) === window.readPosition))
      for (const { window } of owned) rejoin(window, id);
  }
  return more;
}

function mainPart({ shard, window }: Owned, { upTo, today }: { upTo: number; today: string }): Behind {
  const { readPosition, recoverUpTo, readSince } = window;
  const last = Math.min(upTo, readPosition + positionsAtOnce);
  return { shard, reading: window, recoverUpTo, upTo: last, since: last === upTo ? today : readSince };
}

/** Reads an account's notifications on, as far as the others' were read. */
async function readAccount(
  context: FeedContext,
  owned: readonly Owned[],
  what: { chainId: string; only: number },
): Promise<boolean> {
  const behind = owned.flatMap(({ shard, window }): Behind[] => {
    const reading = window.apart.get(what.only);
    if (!reading || reading.readPosition >= window.readPosition) return [];
    const upTo = Math.min(window.readPosition, reading.readPosition + positionsAtOnce);
    const since = upTo === window.readPosition ? window.readSince : reading.readSince;
    return [{ shard, reading, recoverUpTo: window.recoverUpTo, upTo, since }];
  });
  const more = await readPart(context, behind, what);
  return more || behind.some(({ reading, upTo }) => reading.readPosition < upTo);
}
