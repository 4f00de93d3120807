/**
 * Reads blocks for the replays of a chain, in runs as following does, and each once for all that want it at about the same time: a run is kept
 * for a while, within a bound of memory, and whoever comes to one of its blocks takes it from there.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../base/log.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import { isDatabaseUnavailable } from "../../store/database-errors.ts";
import { type Node, NodeError } from "../nodes/node.ts";
import type { ReadBlock } from "../read/block.ts";
import { assertChain } from "../read/fetch.ts";
import type { BlockReader, ReadRun } from "../read/reader.ts";
import { longestRun, nextRunLength } from "../read/run-length.ts";
import { farMs, type NodePace, type NodePool } from "../sources/node-pool.ts";
import { areConfirmed } from "../sources/witnesses.ts";

/** Consecutive blocks of a run, from the one that was asked for. */
export type SharedRun = {
  blocks: readonly ReadBlock[];
  node: Node;
  /** Whether it was read for this caller, and not found. */
  isFresh: boolean;
  /** Whether their node is far. */
  isFar: boolean;
  /** Call it when they are no longer needed. */
  release(): void;
  /** Nobody gets these blocks any more: they are not those of the chain. */
  forget(): void;
};

/** The blocks that are wanted: from the first on, as many as there are in a run. */
export type WantedBlocks = { from: number; upTo: number; traces: boolean };

export type SharedRuns = {
  /**
   * @param except nodes whose blocks are not wanted
   * @returns undefined if every node is set aside
   * @throws what the block failed with on the last of the nodes
   */
  take(wanted: WantedBlocks, except?: ReadonlySet<Node>): Promise<SharedRun | undefined>;
  /** Begins to read, so that the blocks are there when they are wanted. */
  ahead(wanted: WantedBlocks): void;
  /** Drops what nobody uses. */
  clear(): void;
};

/** What is kept although nobody uses it at the moment, by the approximate size of the nodes' responses. As heavy as four of the heaviest runs. */
const heaviestKept = 64 * 1024 * 1024;
const mostKept = 64;
const pacePollMs = 100;

type ReadFrom = ReadRun & Pick<SharedRun, "node" | "isFar">;

/** A run that is being read, or was. */
type Entry = {
  from: number;
  to: number;
  traces: boolean;
  read: Promise<ReadFrom | undefined>;
  run: ReadFrom | undefined;
  weight: number;
  users: number;
  forgotten: boolean;
};

/** @param options.pace what the chain's nodes take besides following */
export function createSharedRuns(options: {
  chain: ChainConfig;
  nodes: NodePool;
  readers: ReadonlyMap<Node, BlockReader>;
  pace: NodePace;
  log: Logger;
  signal: AbortSignal;
}): SharedRuns {
  const { chain, nodes, readers, pace, log, signal } = options;
  /** By number and traces; what was used last comes last. */
  const entries = new Map<string, Entry>();
  const order = new Set<Entry>();
  let length = longestRun;

  const keyOf = (number: number, traces: boolean) => `${number} ${traces}`;

  function drop(entry: Entry): void {
    order.delete(entry);
    for (let number = entry.from; number <= entry.to; number += 1) {
      const key = keyOf(number, entry.traces);
      if (entries.get(key) === entry) entries.delete(key);
    }
    entry.forgotten = true;
    if (entry.users === 0) free(entry);
  }

  function free(entry: Entry): void {
    entry.run?.release();
    entry.run = undefined;
  }

  /** The longest unused go first. */
  function dropUnused(): void {
    const unused = [...order].filter(({ users, run }) => users === 0 && run);
    let weight = unused.reduce((sum, entry) => sum + entry.weight, 0);
    let count = unused.length;
    for (const entry of unused) {
      if (weight <= heaviestKept && count <= mostKept) return;
      drop(entry);
      weight -= entry.weight;
      count -= 1;
    }
  }

  /** Runs end at the same blocks for all, so that those who meet stay together. */
  function begin({ from, upTo, traces }: WantedBlocks, except?: ReadonlySet<Node>): Entry {
    const aligned = from - (from % longestRun) + longestRun - 1;
    const to = Math.min(aligned, upTo, from + length - 1);
    const read = atPace(() => readByAny({ from, upTo: to, traces }, except));
    const entry: Entry = { from, to, traces, read, run: undefined, weight: 0, users: 0, forgotten: false };
    for (let number = from; number <= to; number += 1) entries.set(keyOf(number, traces), entry);
    order.add(entry);
    entry.read = read.then(
      (run) => {
        if (!run) drop(entry);
        entry.run = run;
        const blocks = run?.blocks ?? [];
        entry.weight = blocks.reduce((sum, block) => sum + block.weight, 0);
        length = nextRunLength(blocks, { requested: to - from + 1, length: Math.max(1, length) });
        // Those that the node did not return are read by whoever wants them.
        for (let number = from + blocks.length; number <= to; number += 1) {
          const key = keyOf(number, traces);
          if (entries.get(key) === entry) entries.delete(key);
        }
        if (entry.forgotten && entry.users === 0) free(entry);
        dropUnused();
        return run;
      },
      (error: unknown) => {
        drop(entry);
        throw error;
      },
    );
    // Whoever takes it gets the error.
    entry.read.catch(() => undefined);
    return entry;
  }

  /** What a node allows in a second is what following has, too. */
  async function atPace<T>(read: () => Promise<T>): Promise<T> {
    while (!pace.mayStart()) await sleep(pacePollMs, undefined, { signal });
    pace.started();
    return read().finally(() => pace.ended());
  }

  /** Tries one node after the other. @throws what the last one failed with */
  async function readByAny(wanted: WantedBlocks, except: ReadonlySet<Node> = new Set()): Promise<ReadFrom | undefined> {
    const tried = new Set(except);
    const failed = new Map<Node, unknown>();
    let last: unknown;
    for (let node = nodes.pick(tried); node; node = nodes.pick(tried)) {
      tried.add(node);
      try {
        const run = await readBy(node, wanted);
        nodes.noteSuccess(node);
        // Another node returned the block, so these should have.
        for (const [other, why] of failed) nodes.setAside(other, why);
        return run;
      } catch (error) {
        if (signal.aborted || isDatabaseUnavailable(error)) throw error;
        last = error;
        const details = { block: wanted.from, node: node.origin, reason: (error as Error).message };
        log.warn(details, "a block could not be read for a replay; it will be retried");
        // A block that no node returns says nothing against the nodes, and other replays need them.
        if (error instanceof UnavailableError) nodes.setAside(node, error.cause);
        else failed.set(node, error);
      }
    }
    if (last !== undefined || except.size > 0) throw last ?? new Error("no other node is available");
    return undefined;
  }

  async function readBy(node: Node, { from, upTo, traces }: WantedBlocks): Promise<ReadFrom> {
    let run: ReadRun | undefined;
    try {
      const askedAt = performance.now();
      await assertChain(node, chain.chainId).catch((cause: unknown) => Promise.reject(new UnavailableError(cause)));
      const isFar = performance.now() - askedAt > farMs;
      run = await readers.get(node)?.read({ from, to: upTo, traces: chain.traces && traces });
      if (!run?.blocks[0])
        throw new NodeError(`no block ${from}`, { method: "eth_getBlockByNumber", origin: node.origin });
      if (!(await areConfirmed(run.blocks, { chain, node, witnesses: nodes.witnesses(node) })))
        throw new NodeError(`no other node confirms block ${from}`, {
          method: "eth_getBlockByHash",
          origin: node.origin,
        });
      return { ...run, node, isFar };
    } catch (error) {
      run?.release();
      throw error instanceof NodeError && error.throttled ? new UnavailableError(error) : error;
    }
  }

  function use(entry: Entry, from: number, isFresh: boolean): SharedRun | undefined {
    const { run } = entry;
    const blocks = run?.blocks.filter(({ number }) => number >= from) ?? [];
    if (!run || blocks.length === 0) return undefined;
    let isReleased = false;
    return {
      ...{ blocks, node: run.node, isFresh, isFar: run.isFar },
      release() {
        if (isReleased) return;
        isReleased = true;
        leave(entry);
      },
      forget: () => drop(entry),
    };
  }

  function leave(entry: Entry): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (entry.forgotten) free(entry);
    else dropUnused();
  }

  return {
    async take(wanted, except) {
      for (;;) {
        const found = entries.get(keyOf(wanted.from, wanted.traces));
        // One that is still being read may come from any node.
        const isUsable = found && !(except && (!found.run || except.has(found.run.node)));
        const entry = isUsable ? found : begin(wanted, except);
        entry.users += 1;
        order.delete(entry);
        if (!entry.forgotten) order.add(entry);
        try {
          if (!(await entry.read)) {
            leave(entry);
            return undefined;
          }
        } catch (error) {
          leave(entry);
          throw error;
        }
        const run = use(entry, wanted.from, !isUsable);
        if (run) return run;
        leave(entry);
      }
    },
    ahead(wanted) {
      // One run at a time while a node throttles.
      if (pace.isSlow()) return;
      if (wanted.from <= wanted.upTo && !entries.has(keyOf(wanted.from, wanted.traces))) begin(wanted);
    },
    clear() {
      for (const entry of [...order]) if (entry.users === 0 && entry.run) drop(entry);
    },
  };
}

/** The node does not respond, is of another chain, or throttles us: no replay can use it now. */
class UnavailableError extends Error {
  override readonly name = "UnavailableError";

  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}
