/** Blocks that replays share: read once while they are kept, from another node where one is wrong, and released in the end. */
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import type { Node } from "../../../server/chain/nodes/node.ts";
import type { ReadBlock } from "../../../server/chain/read/block.ts";
import type { BlockReader } from "../../../server/chain/read/reader.ts";
import { createSharedRuns, type SharedRuns } from "../../../server/chain/replays/shared-runs.ts";
import { createNodePool, NodePace } from "../../../server/chain/sources/node-pool.ts";
import { eventually } from "../../support/eventually.ts";
import { testChain } from "../../support/service.ts";

const chain = testChain({ rpcUrl: "http://127.0.0.1:1" });
const newest = 200;

let reads: string[];
let held: number;
let weight: number;
/** The blocks that a node does not return. */
let lacking: Map<string, Set<number>>;
let runs: SharedRuns;
let nodes: Node[];

function start(origins: string[]): void {
  nodes = origins.map((origin): Node => {
    const node: Partial<Node> = { origin, request: async <T>() => `0x${BigInt(chain.chainId).toString(16)}` as T };
    return node as Node;
  });
  const readers = new Map(nodes.map((node) => [node, readerOf(node)]));
  const { signal } = new AbortController();
  runs = createSharedRuns({
    chain,
    nodes: createNodePool(nodes),
    readers,
    pace: new NodePace(),
    log: pino({ level: "silent" }),
    signal,
  });
}

function readerOf({ origin }: Node): BlockReader {
  const reader: Pick<BlockReader, "read"> = {
    async read(selection) {
      if (!("from" in selection)) throw new Error("runs are read by number");
      const { from, to } = selection;
      reads.push(`${origin} ${from}-${to}`);
      const blocks: ReadBlock[] = [];
      for (let number = from; number <= Math.min(to, newest) && !lacking.get(origin)?.has(number); number += 1) {
        const block: Partial<ReadBlock> = { number, weight, unprovenHeader: undefined };
        blocks.push(block as ReadBlock);
      }
      held += 1;
      return {
        blocks,
        release: () => {
          held -= 1;
        },
      };
    },
  };
  return reader as BlockReader;
}

beforeEach(() => {
  [reads, held, weight, lacking] = [[], 0, 1, new Map()];
  start(["one"]);
});

const wanted = (from: number, upTo = newest) => ({ from, upTo, traces: false });
const numbersOf = (run: Awaited<ReturnType<SharedRuns["take"]>>) => run?.blocks.map(({ number }) => number) ?? [];

test("whoever comes to a block of a run takes it from there, and runs end at the same blocks for all", async () => {
  const [first, other, within] = await Promise.all([
    runs.take(wanted(3)),
    runs.take(wanted(3)),
    runs.take(wanted(5, 6)),
  ]);
  expect(numbersOf(first)).toEqual([3, 4, 5, 6, 7]);
  expect(numbersOf(other)).toEqual(numbersOf(first));
  expect(numbersOf(within)).toEqual([5, 6, 7]);
  runs.ahead(wanted(8));
  runs.ahead(wanted(8));
  expect(numbersOf(await runs.take(wanted(8)))).toHaveLength(8);
  expect(reads).toEqual(["one 3-7", "one 8-15"]);
  await runs.take({ ...wanted(8), traces: true });
  expect(reads).toHaveLength(3);
});

test("a run says whether its node is far", async () => {
  let from = 0;
  // On a busy machine any node may take its time.
  await eventually(async () => {
    from += 8;
    expect(await runs.take(wanted(from % 160))).toMatchObject({ isFar: false });
  });
  const node = nodes[0] ?? expect.fail("there is no node");
  const { request } = node;
  node.request = async (...call) => {
    await sleep(50);
    return request(...call);
  };
  expect(await runs.take(wanted(168))).toMatchObject({ isFar: true });
});

test("what nobody uses is kept within a bound, and dropped in the end", async () => {
  weight = 4 * 1024 * 1024;
  const used = await runs.take(wanted(0));
  for (let from = 8; from < 80; from += 1) (await runs.take(wanted(from)))?.release();
  // 64 MiB of those that are unused, and the one in use.
  expect(held).toBeLessThanOrEqual(17);
  runs.clear();
  expect(held).toBe(1);
  used?.release();
  used?.release();
  runs.clear();
  expect(held).toBe(0);
});

test("blocks that the node did not return are read again by whoever wants them, and a run that is forgotten by the next", async () => {
  lacking.set("one", new Set([4]));
  const first = await runs.take(wanted(0));
  expect(numbersOf(first)).toEqual([0, 1, 2, 3]);
  await expect(runs.take(wanted(4))).rejects.toThrow("no block 4");
  lacking.clear();
  const again = await runs.take(wanted(4));
  expect(numbersOf(again)[0]).toBe(4);
  again?.forget();
  again?.release();
  const fresh = await runs.take(wanted(4));
  expect(fresh).toMatchObject({ isFresh: true });
  expect(await runs.take(wanted(4))).toMatchObject({ isFresh: false });
});

test("another node is asked for what one lacks, and for what somebody does not want of it", async () => {
  start(["one", "two"]);
  lacking.set("one", new Set([0]));
  expect((await runs.take(wanted(0)))?.node.origin).toBe("two");
  lacking.clear();
  start(["one", "two"]);
  const [one] = nodes;
  if (!one) throw new Error("there is no node");
  expect((await runs.take(wanted(0)))?.node.origin).toBe("one");
  expect((await runs.take(wanted(0), new Set([one])))?.node.origin).toBe("two");
  await expect(runs.take(wanted(0), new Set(nodes))).rejects.toThrow("no other node");
});

test("a block that no node returns shortens nobody's runs", async () => {
  lacking.set("one", new Set([40]));
  await expect(runs.take(wanted(40))).rejects.toThrow("no block 40");
  expect(numbersOf(await runs.take(wanted(48)))).toHaveLength(8);
});
