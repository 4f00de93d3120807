/**
 * The stream as the record of a chain, for the role `read`. One process publishes at a time: the others stand by, without a call to the
 * nodes, while they hear it. They take over when it leaves or falls silent. If two publish, the stream refuses one of them.
 */
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { ServiceError } from "../../errors.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { type ChainConfig, defaultPatienceMs } from "../config.ts";
import { type BlockStream, FencedError, openBlockStream } from "../stream/block-stream.ts";
import type { BlocksConnection } from "../stream/connection.ts";
import { announce, hearAnnouncements } from "../stream/heads.ts";
import { openPublisher, type Publisher } from "../stream/publisher.ts";
import type { LaneRecord } from "./advance.ts";
import { emptyMemory, type FollowedLane, type FollowedLanes } from "./lanes.ts";
import type { ChainMetrics } from "./observe.ts";
import type { ReadState } from "./read-state.ts";
import type { ChainStep } from "./record.ts";
import { report } from "./standstill.ts";
import { createTracePatience } from "./trace-patience.ts";
import { watchLag } from "./witnesses.ts";

/** Announcements come at least as often, and not much more often while there is no new block. */
const announceMs = 1_000;
/** How many published blocks to remember besides those in the stream. */
const mostKnown = 10_000;

const away = { kind: "failure", reason: "No server of the stream of blocks is connected; the log says why." } as const;

/** @param options.wake called when the process must take over @param options.signal ends it */
export function publishedLane(
  connection: BlocksConnection,
  options: {
    chain: ChainConfig;
    state: ReadState;
    counted: ChainMetrics;
    log: Logger;
    signal: AbortSignal;
    wake: () => void;
  },
): FollowedLanes {
  const { chain, counted, log, signal, wake } = options;
  const stream = openBlockStream(connection, chain.chainId);
  const reader = randomUUID();
  const silenceMs = Math.max(3 * announceMs, 3 * chain.pollMs) * (1 + Math.random() / 4);
  const traces = createTracePatience(chain);
  const known = new Map<number, string>();
  const [memory, lag] = [emptyMemory(), watchLag(chain.pollMs)];
  let publisher: Publisher | undefined;
  let cursor: BlockId | undefined;
  let heardAt = performance.now();
  let upAt = performance.now();
  let announcedAt = Number.NEGATIVE_INFINITY;

  hearAnnouncements(connection, chain.chainId, {
    signal,
    heard(announcement) {
      if (announcement.reader === reader) return;
      heardAt = announcement.leaves ? Number.NEGATIVE_INFINITY : performance.now();
      if (!publisher) options.state.heard(announcement.number);
      if (announcement.leaves) wake();
    },
  });
  signal.addEventListener("abort", () => publisher && tell(publisher, true), { once: true });

  function tell({ state, newest }: Publisher, leaves: boolean): void {
    if (!newest) return;
    announcedAt = performance.now();
    const { number, hash, sequence, final } = newest;
    announce(connection, chain.chainId, { reader, leaves, stream: state.identity, number, hash, sequence, final });
  }

  function standBy(reason: string): void {
    log.info({ reason }, "standing by: another process publishes the chain's blocks");
    publisher = undefined;
    heardAt = performance.now();
    memory.readAhead.drop();
    counted.publishes(false);
  }

  /** Begins where the stream ends. One that was created again goes on where this process was. */
  async function takeOver(): Promise<Publisher> {
    const opened = await openPublisher(stream, { chainId: chain.chainId, log });
    const { newest } = opened;
    if (newest) cursor = { number: newest.number, hash: newest.hash };
    publisher = opened;
    log.info({ block: cursor?.number }, "publishing the chain's blocks");
    counted.publishes(true);
    return opened;
  }

  async function record(opened: Publisher, { blocks, retractAbove, finalNumber }: ChainStep): Promise<number> {
    for (const number of known.keys()) if (retractAbove !== undefined && number > retractAbove) known.delete(number);
    for (const block of blocks) {
      try {
        counted.published(await opened.publish(block, finalNumber));
      } catch (error) {
        if (error instanceof FencedError) standBy(error.message);
        // Whatever of the block was published, the stream itself says so when it is read again.
        publisher = undefined;
        if (!(error instanceof FencedError)) throw error;
        throw new ServiceError("cursor_moved", `chain ${chain.chainId} was published elsewhere`, { cause: error });
      }
      cursor = { number: block.number, hash: block.hash };
      known.set(block.number, block.hash);
      known.delete(block.number - mostKnown);
      tell(opened, false);
    }
    return 0;
  }

  const recordOf = (opened: Publisher): LaneRecord => ({
    lane: { traces: traces.wanted(), ...(cursor && { cursor }) },
    noteHead: async () => undefined,
    async beginAt({ number, hash }, parentHash) {
      // The first block is published, too: a follower may begin with it.
      cursor = number > 0 && parentHash ? { number: number - 1, hash: parentHash } : { number, hash };
      known.set(cursor.number, cursor.hash);
    },
    isRecorded: (block) => isPublished(stream, { known, final: opened.newest?.final ?? 0 }, block),
    record: (step) => record(opened, step),
  });

  const state = report(chain, log, options.state);
  const lane = (opened: Publisher): FollowedLane => ({
    ...{ record: recordOf(opened), memory, lag },
    state: {
      ...state,
      failed(error) {
        traces.failed(error);
        state.failed(error);
      },
      async stepped(progress) {
        options.state.stepped(progress);
        await state.stepped(progress);
        if (progress.moved) traces.read();
        const isCurrent = progress.moved || progress.head.hash === progress.cursor.hash;
        if (isCurrent && performance.now() - announcedAt > announceMs) tell(opened, false);
      },
    },
  });

  async function isAway(): Promise<boolean> {
    if (connection.current()) upAt = performance.now();
    else if (performance.now() - upAt > (chain.patienceMs ?? defaultPatienceMs)) await options.state.stopped(away);
    return connection.current() === undefined;
  }

  return {
    async next() {
      if (await isAway()) return undefined;
      if (publisher) return lane(publisher);
      if (performance.now() - heardAt < silenceMs) return undefined;
      return lane(await takeOver());
    },
    taken: () => undefined,
    failed: state.failed,
  };
}

/** The chain's blocks that can be replaced are those after the newest final one, and of these, those that this stream still has. */
async function isPublished(
  stream: BlockStream,
  { known, final }: { known: ReadonlyMap<number, string>; final: number },
  { number, hash }: BlockId,
): Promise<boolean | undefined> {
  if (number < final) return undefined;
  const remembered = known.get(number);
  if (remembered !== undefined) return remembered === hash;
  const header = await stream.header(number);
  // Nothing was published before the first block, so nobody has recorded another one from here.
  return header ? header.hash === hash : !known.has(number + 1) ? undefined : true;
}
