/**
 * The stream as the record of a chain, for the role `read`. One process publishes at a time: the others stand by, without a call to the
 * nodes, while they hear it. They take over when it leaves or falls silent. If two publish, the stream refuses one of them.
 */
import { randomUUID } from "node:crypto";
import { ServiceError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { type ChainConfig, defaultPatienceMs } from "../../settings/chains.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { type BlockStream, FencedError, openBlockStream, StreamAwayError } from "../stream/block-stream.ts";
import type { BlocksConnection } from "../stream/connection.ts";
import { announce, hearAnnouncements } from "../stream/heads.ts";
import { openPublisher, type Publisher } from "../stream/publisher.ts";
import { depthWithoutTag } from "./branch.ts";
import type { FollowedLane, FollowedLanes } from "./lanes.ts";
import type { ChainMetrics } from "./observe.ts";
import type { ReadState } from "./read-state.ts";
import { assertLinked } from "./record.ts";
import { report } from "./standstill.ts";
import { type ChainStep, emptyMemory, type LaneRecord } from "./step.ts";
import { createTracePatience } from "./trace-patience.ts";
import { watchLag } from "./witnesses.ts";

/** How often to announce that this process publishes, whether or not there are new blocks. */
const announceMs = 1_000;
/** How many published blocks to remember besides those in the stream. */
const mostKnown = 10_000;

const away = { kind: "failure", reason: "The stream of blocks is away; the log says why." } as const;

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
  // Of several that stand by, one is the first.
  const silenceMs = 3 * announceMs * (1 + Math.random() / 4);
  const patienceMs = chain.patienceMs ?? defaultPatienceMs;
  const traces = createTracePatience(chain);
  const known = new Map<number, string>();
  const [memory, lag] = [emptyMemory(), watchLag(chain.pollMs)];
  let publisher: Publisher | undefined;
  let cursor: BlockId | undefined;
  /** Nothing was published up to this number, so any block there can be the parent of a new branch. */
  let beforeFirst: number | undefined;
  let heardAt = performance.now();
  let upAt = performance.now();
  /** When a step last went well; undefined after one that failed, as then another process may do better. */
  let wellAt: number | undefined = performance.now();
  let cannotPublish = false;

  hearAnnouncements(connection, chain.chainId, {
    signal,
    heard(announcement) {
      if (announcement.reader === reader) return;
      heardAt = announcement.leaves ? Number.NEGATIVE_INFINITY : performance.now();
      if (!publisher) options.state.heard(announcement.number);
      if (announcement.leaves) wake();
    },
  });
  // A step may take long where blocks are traced, and is no reason to take over.
  const announcing = setInterval(() => {
    const isWell = wellAt !== undefined && performance.now() - wellAt < patienceMs / 2;
    if (publisher && isWell) announceNewest(publisher, false);
  }, announceMs).unref();
  signal.addEventListener(
    "abort",
    () => {
      clearInterval(announcing);
      if (publisher) announceNewest(publisher, true);
    },
    { once: true },
  );

  function announceNewest({ state, newest }: Publisher, leaves: boolean): void {
    if (!newest) return;
    const { number, hash, sequence, final } = newest;
    announce(connection, chain.chainId, { reader, leaves, stream: state.identity, number, hash, sequence, final });
  }

  function standBy(reason: string): void {
    log.info({ reason }, "standing by: another process publishes the chain's blocks");
    heardAt = performance.now();
    memory.readAhead.drop();
    delete memory.rival;
  }

  /** Begins where the stream ends. One that was created again goes on where this process was. */
  async function takeOver(): Promise<Publisher> {
    const opened = await openPublisher(stream, { chainId: chain.chainId, log });
    const { newest } = opened;
    if (newest) {
      // Another process may have published since, and replaced what we knew.
      if (newest.hash !== cursor?.hash) known.clear();
      cursor = { number: newest.number, hash: newest.hash };
      known.set(newest.number, newest.hash);
    }
    publisher = opened;
    log.info({ block: cursor?.number }, "publishing the chain's blocks");
    wellAt = performance.now();
    return opened;
  }

  const isRecorded = (opened: Publisher) => (block: BlockId) =>
    isPublished(stream, { known, beforeFirst, final: opened.newest?.final ?? 0 }, block);

  async function record(opened: Publisher, step: ChainStep): Promise<number> {
    const { blocks, retractAbove, finalNumber } = step;
    await assertLinked(isRecorded(opened), step);
    for (const number of known.keys()) if (retractAbove !== undefined && number > retractAbove) known.delete(number);
    for (const block of blocks) {
      try {
        const final = step.isFinal ? finalNumber : Math.max(0, block.number - depthWithoutTag);
        counted.published(await opened.publish(block, final));
      } catch (error) {
        // Whatever of the block was published, the stream itself says so when it is read again.
        publisher = undefined;
        counted.publishes(false);
        if (error instanceof FencedError) standBy(error.message);
        if (!(error instanceof FencedError)) throw error;
        throw new ServiceError("cursor_moved", `chain ${chain.chainId} was published elsewhere`, { cause: error });
      }
      cursor = { number: block.number, hash: block.hash };
      known.set(block.number, block.hash);
      known.delete(block.number - mostKnown);
      announceNewest(opened, false);
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
      beforeFirst = cursor.number - 1;
    },
    isRecorded: isRecorded(opened),
    record: (step) => record(opened, step),
  });

  const state = report(chain, log, options.state);
  function failed(error: unknown): void {
    wellAt = undefined;
    cannotPublish = error instanceof StreamAwayError;
    state.failed(error);
  }

  const lane = (opened: Publisher): FollowedLane => ({
    ...{ record: recordOf(opened), memory, lag },
    state: {
      ...state,
      failed(error) {
        traces.failed(error);
        failed(error);
      },
      async stepped(progress) {
        options.state.stepped(progress);
        await state.stepped(progress);
        if (progress.moved) traces.read();
        wellAt = progress.moved || progress.head.hash === progress.cursor.hash ? performance.now() : undefined;
        cannotPublish = false;
      },
    },
  });

  async function isAway(): Promise<boolean> {
    const isConnected = connection.current() !== undefined;
    if (isConnected && !cannotPublish) upAt = performance.now();
    else if (performance.now() - upAt > patienceMs) await options.state.stopped(away);
    return !isConnected;
  }

  /** @returns undefined while NATS is away, or another process publishes */
  async function currentPublisher(): Promise<Publisher | undefined> {
    if (await isAway()) return undefined;
    if (publisher) return publisher;
    return performance.now() - heardAt < silenceMs ? undefined : takeOver();
  }

  return {
    async next() {
      const opened = await currentPublisher();
      counted.publishes(opened !== undefined);
      return opened && lane(opened);
    },
    taken: () => undefined,
    failed,
  };
}

/** The chain's blocks that can be replaced are those after the newest final one, and of these, those that this stream still has. */
async function isPublished(
  stream: BlockStream,
  { known, beforeFirst, final }: { known: ReadonlyMap<number, string>; beforeFirst: number | undefined; final: number },
  { number, hash }: BlockId,
): Promise<boolean | undefined> {
  if (number < final) return undefined;
  const remembered = known.get(number);
  if (remembered !== undefined) return remembered === hash;
  if (number === beforeFirst) return true;
  const header = await stream.header(number);
  return header && header.hash === hash;
}
