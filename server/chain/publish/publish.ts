/**
 * The role `read`: follows a chain as a follower does, with the same checks, and publishes its blocks. It needs no database: its record of the
 * chain is the block stream. One process publishes at a time: the others stand by, without a call to the nodes, while they
 * hear it. They take over when it leaves or falls silent. If two publish, the stream refuses one of them.
 */
import { randomUUID } from "node:crypto";
import { ServiceError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { createPause } from "../../base/pause.ts";
import { checksOf, profileOf } from "../../settings/chain-profiles.ts";
import { type ChainConfig, defaultPatienceMs } from "../../settings/chains.ts";
import type { ChainState, Stopped } from "../../store/chains/chains.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import { takeSteps } from "../follow/follow.ts";
import { assertLinked, type ChainStep, emptyMemory, type LaneRecord } from "../follow/lane-record.ts";
import type { FollowedLane, FollowedLanes } from "../follow/lanes.ts";
import { failureKindOf, type LaneReporter, reportTo, type Standstill, type StateNotes } from "../follow/standstill.ts";
import type { StepProgress } from "../follow/step.ts";
import { type ChainMetrics, chainMetrics } from "../observe.ts";
import { assertChain } from "../read/fetch.ts";
import { createHeadWakes, watchHeads } from "../sources/heads.ts";
import { checkTracing, connectNodes } from "../sources/node-pool.ts";
import { depthWithoutTag, nodeSources } from "../sources/node-source.ts";
import { watchLag } from "../sources/witnesses.ts";
import {
  type BlockStream,
  FencedError,
  openBlockStream,
  openPublisher,
  type Publisher,
  StreamAwayError,
} from "../stream/block-stream.ts";
import type { BlocksConnection } from "../stream/connection.ts";
import { type Announcement, announce, hearAnnouncements } from "../stream/heads.ts";

/** @param options.state shows how far it is @param options.signal ends it @returns when it has ended */
export async function publishChain(options: {
  chain: ChainConfig;
  blocks: BlocksConnection;
  log: Logger;
  metrics: Metrics;
  state: ReadState;
  signal: AbortSignal;
}): Promise<void> {
  const { blocks, metrics, state, signal } = options;
  // Where following starts is for each cell to say. Its follower reads older blocks from nodes.
  const { startBlock: _startBlock, ...chain } = options.chain;
  const log = options.log.child({ chainId: chain.chainId, lane: "read" });
  const counted = chainMetrics(metrics, chain.chainId, "read");
  const { nodes, readers } = connectNodes(chain, { signal, purpose: "following", metrics: counted, log });
  counted.showNodes(nodes, signal);
  const pause = createPause(signal);
  const heads = createHeadWakes(pause);
  log.info({ profile: profileOf(chain.chainId).name, checks: checksOf(chain), finality: chain.finality }, "reading");
  await takeSteps({
    ...{ chain, pause, counted, log, signal, announced: heads.take },
    lanes: new PublishedLane(blocks, { chain, state, counted, log, signal, wake: pause.wake }),
    nodes: nodeSources({ ...{ chain, nodes, readers }, verify: (node) => assertChain(node, chain.chainId) }),
    onFirst() {
      if (chain.wsUrl) watchHeads(chain.wsUrl, { wake: heads.wake, signal, log });
      if (chain.traces) void checkTracing({ nodes: [...readers.keys()], log, signal });
    },
  });
}

/** How often to announce that this process publishes, whether or not there are new blocks. */
const announceMs = 1_000;

const away = { kind: "failure", reason: "The stream of blocks is away; the log says why." } as const;

type PublishedLaneOptions = {
  chain: ChainConfig;
  state: ReadState;
  counted: ChainMetrics;
  log: Logger;
  /** Ends it. */
  signal: AbortSignal;
  /** Called when the process must take over. */
  wake: () => void;
};

/** The only lane of a process that publishes a chain. It exists while the process publishes, and not while it stands by. */
export class PublishedLane implements FollowedLanes {
  readonly #connection: BlocksConnection;
  readonly #options: PublishedLaneOptions;
  readonly #stream: BlockStream;
  readonly #id = randomUUID();
  // Of several that stand by, one is the first.
  readonly #silenceMs = 3 * announceMs * (1 + Math.random() / 4);
  readonly #patienceMs: number;
  readonly #traces: TracePatience;
  readonly #reporter: LaneReporter;
  readonly #memory = emptyMemory();
  readonly #lag;
  readonly #blocks: PublishedBlocks;
  /** While this process publishes. */
  #publisher: Publisher | undefined;
  /** When another process was last heard to publish. */
  #heardAt = performance.now();
  /** When the stream could last be used. */
  #upAt = performance.now();
  /** When a step last went well; undefined after one that failed, as then another process may do better. */
  #wellAt: number | undefined = performance.now();
  #cannotPublish = false;

  constructor(connection: BlocksConnection, options: PublishedLaneOptions) {
    const { chain, state, log, signal } = options;
    this.#connection = connection;
    this.#options = options;
    this.#stream = openBlockStream(connection, chain.chainId);
    this.#patienceMs = chain.patienceMs ?? defaultPatienceMs;
    this.#traces = new TracePatience(chain);
    this.#reporter = reportTo(chain, log, state);
    this.#lag = watchLag(chain.pollMs);
    this.#blocks = new PublishedBlocks(this.#stream);
    hearAnnouncements(connection, chain.chainId, { signal, heard: (announcement) => this.#heard(announcement) });
    const announcing = setInterval(() => this.#announceWhileWell(), announceMs).unref();
    const leave = () => {
      clearInterval(announcing);
      this.#announceNewest({ leaves: true });
    };
    signal.addEventListener("abort", leave, { once: true });
  }

  async next(): Promise<FollowedLane | undefined> {
    const publisher = await this.#current();
    this.#options.counted.publishes(publisher !== undefined);
    return publisher && this.#laneOf(publisher);
  }

  failed(error: unknown): void {
    this.#wellAt = undefined;
    this.#cannotPublish = error instanceof StreamAwayError;
    this.#reporter.failed(error);
  }

  /** @returns undefined while NATS is away, or another process publishes */
  async #current(): Promise<Publisher | undefined> {
    if (await this.#isAway()) return undefined;
    if (this.#publisher) return this.#publisher;
    return performance.now() - this.#heardAt < this.#silenceMs ? undefined : this.#takeOver();
  }

  async #isAway(): Promise<boolean> {
    const isConnected = this.#connection.current() !== undefined;
    if (isConnected && !this.#cannotPublish) this.#upAt = performance.now();
    else if (performance.now() - this.#upAt > this.#patienceMs) await this.#options.state.stopped(away);
    return !isConnected;
  }

  /** Begins where the stream ends. One that was created again goes on where this process was. */
  async #takeOver(): Promise<Publisher> {
    const { chain, log } = this.#options;
    const opened = await openPublisher(this.#stream, { chainId: chain.chainId, log });
    if (opened.newest) this.#blocks.endAt(opened.newest);
    this.#publisher = opened;
    this.#wellAt = performance.now();
    log.info({ block: this.#blocks.cursor?.number }, "publishing the chain's blocks");
    return opened;
  }

  #standBy(reason: string): void {
    this.#options.log.info({ reason }, "standing by: another process publishes the chain's blocks");
    this.#heardAt = performance.now();
    this.#memory.readAhead.drop();
    delete this.#memory.competing;
  }

  #heard(announcement: Announcement): void {
    if (announcement.reader === this.#id) return;
    this.#heardAt = announcement.leaves ? Number.NEGATIVE_INFINITY : performance.now();
    if (!this.#publisher) this.#options.state.heard(announcement.number);
    if (announcement.leaves) this.#options.wake();
  }

  #laneOf(publisher: Publisher): FollowedLane {
    const { cursor } = this.#blocks;
    const isRecorded = (block: BlockId) => this.#blocks.has(block, publisher.newest?.final ?? 0);
    const record: LaneRecord = {
      lane: { traces: this.#traces.wanted(), ...(cursor && { cursor }) },
      // The first block is published, too: a follower may begin with it.
      beginAt: async (block, parentHash) => this.#blocks.beginBelow(block, parentHash),
      isRecorded,
      record: async (step) => {
        await assertLinked(isRecorded, step);
        await this.#publish(publisher, step);
        return 0;
      },
    };
    const state: LaneReporter = {
      ...this.#reporter,
      failed: (error) => {
        this.#traces.failed(error);
        this.failed(error);
      },
      stepped: (progress) => this.#stepped(progress),
    };
    return { record, state, memory: this.#memory, lag: this.#lag };
  }

  async #publish(publisher: Publisher, { blocks, retractAbove, finalNumber, isFinal }: ChainStep): Promise<void> {
    const { counted, chain } = this.#options;
    if (retractAbove !== undefined) this.#blocks.dropAbove(retractAbove);
    for (const block of blocks) {
      try {
        const final = isFinal ? finalNumber : Math.max(0, block.number - depthWithoutTag);
        counted.published(await publisher.publish(block, final));
      } catch (error) {
        // Whatever of the block was published, the stream itself says so when it is read again.
        this.#publisher = undefined;
        counted.publishes(false);
        if (!(error instanceof FencedError)) throw error;
        this.#standBy(error.message);
        throw new ServiceError("cursor_moved", `chain ${chain.chainId} was published elsewhere`, { cause: error });
      }
      this.#blocks.add(block);
      this.#announceNewest({ leaves: false });
    }
  }

  async #stepped(progress: Parameters<LaneReporter["stepped"]>[0]): Promise<void> {
    this.#options.state.stepped(progress);
    await this.#reporter.stepped(progress);
    if (progress.moved) this.#traces.read();
    this.#wellAt = progress.moved || progress.head.hash === progress.cursor.hash ? performance.now() : undefined;
    this.#cannotPublish = false;
  }

  /** A step may take long where blocks are traced, and is no reason to take over. */
  #announceWhileWell(): void {
    const isWell = this.#wellAt !== undefined && performance.now() - this.#wellAt < this.#patienceMs / 2;
    if (isWell) this.#announceNewest({ leaves: false });
  }

  #announceNewest({ leaves }: { leaves: boolean }): void {
    const { state, newest } = this.#publisher ?? {};
    if (!state || !newest) return;
    const { number, hash, sequence, final } = newest;
    const announcement = { reader: this.#id, leaves, stream: state.identity, number, hash, sequence, final };
    announce(this.#connection, this.#options.chain.chainId, announcement);
  }
}

/** How many published blocks to remember besides those in the stream. */
const mostKnown = 10_000;

/** The blocks that were published: those that this process knows, and those that the stream has. */
class PublishedBlocks {
  readonly #stream: BlockStream;
  readonly #known = new Map<number, string>();
  #cursor: BlockId | undefined;
  /** Nothing was published up to this number, so any block there can be the parent of a new branch. */
  #beforeFirst: number | undefined;

  constructor(stream: BlockStream) {
    this.#stream = stream;
  }

  /** The newest one. */
  get cursor(): BlockId | undefined {
    return this.#cursor;
  }

  /** Nothing is published yet: the block will be the first, if its parent is known. */
  beginBelow({ number, hash }: BlockId, parentHash: string | undefined): void {
    this.add(number > 0 && parentHash ? { number: number - 1, hash: parentHash } : { number, hash });
    this.#beforeFirst = (this.#cursor?.number ?? 0) - 1;
  }

  /** The stream ends at this block. Another process may have published since we did, and replaced what we knew. */
  endAt({ number, hash }: BlockId): void {
    if (hash !== this.#cursor?.hash) this.#known.clear();
    this.add({ number, hash });
  }

  add({ number, hash }: BlockId): void {
    this.#cursor = { number, hash };
    this.#known.set(number, hash);
    this.#known.delete(number - mostKnown);
  }

  dropAbove(number: number): void {
    for (const known of this.#known.keys()) if (known > number) this.#known.delete(known);
  }

  /** Whether a block was published; undefined below the newest final one, where nothing can be replaced, and for what is gone. */
  async has({ number, hash }: BlockId, final: number): Promise<boolean | undefined> {
    if (number < final) return undefined;
    const known = this.#known.get(number);
    if (known !== undefined) return known === hash;
    if (number === this.#beforeFirst) return true;
    const header = await this.#stream.header(number);
    return header && header.hash === hash;
  }
}

const shortestMs = 1_000;
const longestMs = 60_000;

/**
 * When to publish blocks without their traces: lanes without traces must not wait for nodes that fail to trace. After as many failures in a
 * row as the chain has nodes, blocks go without traces: for a second, then twice as long each time.
 */
class TracePatience {
  readonly #chain: Pick<ChainConfig, "traces" | "rpcUrls">;
  #failures = 0;
  #pauseMs = shortestMs;
  #withoutUntil = Number.NEGATIVE_INFINITY;

  constructor(chain: Pick<ChainConfig, "traces" | "rpcUrls">) {
    this.#chain = chain;
  }

  /** Whether to read the next blocks with their traces. */
  wanted(): boolean {
    return this.#chain.traces && performance.now() >= this.#withoutUntil;
  }

  failed(error: unknown): void {
    if (!this.wanted() || failureKindOf(error) !== "traces") return;
    this.#failures += 1;
    if (this.#failures < this.#chain.rpcUrls.length) return;
    this.#failures = 0;
    this.#withoutUntil = performance.now() + this.#pauseMs;
    this.#pauseMs = Math.min(longestMs, this.#pauseMs * 2);
  }

  /** Blocks were read. */
  read(): void {
    if (!this.wanted()) return;
    this.#failures = 0;
    this.#pauseMs = shortestMs;
  }
}

/** How far this process reads a chain for the stream. It is kept in memory, since a reader has no database. */
export type ReadState = StateNotes & {
  stepped(progress: Pick<StepProgress, "head" | "cursor">): void;
  /** Another process published this block. */
  heard(number: number): void;
  current(): ChainState;
};

export function createReadState({ traces }: { traces: boolean }): ReadState {
  let head: number | null = null;
  let followed: number | null = null;
  let currentAt = performance.now();
  let stopped: Stopped | undefined;
  return {
    async well({ current }) {
      stopped = undefined;
      if (current) currentAt = performance.now();
    },
    async stopped({ kind, reason }: Standstill) {
      stopped = { kind, reason, since: stopped?.since ?? Date.now() };
    },
    stepped(progress) {
      followed = progress.cursor.number;
      head = Math.max(progress.head.number, followed);
      if (progress.head.number <= followed) currentAt = performance.now();
    },
    heard(number) {
      head = number;
      followed = number;
      stopped = undefined;
      currentAt = performance.now();
    },
    current() {
      const isCurrent = head === null || head === followed;
      const lagSeconds = followed === null ? null : isCurrent ? 0 : (performance.now() - currentAt) / 1_000;
      const state = { head, followed, lagSeconds, blocksFrom: "nodes" as const, ...(stopped && { stopped }) };
      return { ...state, lanes: [{ traces, ...state }] };
    },
  };
}
