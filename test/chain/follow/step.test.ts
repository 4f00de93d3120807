/** A step ends when all of it has ended, and noting the head decides nothing about it. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { ServiceError } from "../../../server/base/errors.ts";
import { emptyMemory, type LaneRecord } from "../../../server/chain/follow/lane-record.ts";
import { type StepContext, takeStep } from "../../../server/chain/follow/step.ts";
import { readBlock } from "../../../server/chain/read/block.ts";
import type { BlockSource } from "../../../server/chain/sources/source.ts";
import { testChain } from "../../support/service.ts";

const block = readBlock(recordedBundle("mainnet/20000000"), "1");
const cursor = { number: block.number - 1, hash: block.parentHash };
const chain = testChain({ rpcUrl: "http://127.0.0.1:1" });

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, "0")}` as const;

const source: BlockSource = {
  origin: "a node",
  reader: { read: async () => ({ blocks: [block], release: () => undefined }), cancel: () => undefined },
  isSettled: false,
  head: async () => block,
  hashAt: async () => undefined,
  headerOf: () => Promise.reject(new Error("no header")),
  finality: async () => (reached) => reached,
  isAgreedOn: async () => true,
  areConfirmed: async () => true,
};

function contextOf(record: Pick<LaneRecord, "noteHead" | "record">): StepContext {
  const lane = { cursor, traces: false };
  const never = { beginAt: async () => undefined, isRecorded: async () => undefined };
  return { source, memory: emptyMemory(), record: { lane, ...never, ...record } };
}

test("a step notes its head with the blocks; one without blocks notes it alone, again until it can", async () => {
  const noted: number[] = [];
  const recorded: (number | undefined)[] = [];
  const context = contextOf({
    async noteHead(number) {
      noted.push(number);
      if (noted.length === 1) throw new Error("no connection");
    },
    async record({ head }) {
      recorded.push(head);
      return 3;
    },
  });
  expect(await takeStep(chain, context)).toMatchObject({ moved: true, notifications: 3 });
  expect(recorded).toEqual([block.number]);
  expect(noted).toEqual([]);
  const waiting = { ...context, source: { ...source, head: async () => ({ ...block, number: cursor.number - 1 }) } };
  for (let step = 0; step < 3; step += 1) expect(await takeStep(chain, waiting)).toMatchObject({ moved: false });
  expect(noted).toEqual([cursor.number - 1, cursor.number - 1]);
});

test("the head of a long step is noted before it ends", async () => {
  const noted: number[] = [];
  let isNoted = () => {};
  const note = new Promise<void>((resolve) => {
    isNoted = resolve;
  });
  const context = contextOf({
    async noteHead(number) {
      noted.push(number);
      isNoted();
    },
    // As long as it takes.
    record: () => note.then(() => 0),
  });
  await takeStep(chain, context);
  expect(noted).toEqual([block.number]);
});

test.each([
  new ServiceError("cursor_moved", "the chain was followed elsewhere"),
  Object.assign(new Error("Connection terminated"), { code: "ECONNRESET" }),
])(
  "a step that fails since %s notes no head: another process knows a newer one, or nothing can be noted",
  async (error) => {
    let noted = 0;
    const context = contextOf({
      async noteHead() {
        noted += 1;
      },
      record: () => Promise.reject(error),
    });
    await expect(takeStep(chain, context)).rejects.toThrow(error);
    expect(noted).toBe(0);
  },
);

test("a step that fails has ended, its note included", async () => {
  let isNoted = false;
  const context = contextOf({
    async noteHead() {
      await new Promise(setImmediate);
      isNoted = true;
    },
    record: () => Promise.reject(new Error("refused")),
  });
  await expect(takeStep(chain, context)).rejects.toThrow("refused");
  expect(isNoted).toBe(true);
});

test("a block that was read ahead is final by what was known when it was requested", async () => {
  const at = (number: number) => ({ ...block, number, hash: hashOf(number), parentHash: hashOf(number - 1) });
  let [head, final] = [block.number + 1, 0];
  const recorded: number[] = [];
  const context = contextOf({ noteHead: async () => undefined, record: async () => 0 });
  context.source = {
    ...source,
    head: async () => at(head),
    finality: async () => {
      const known = final;
      return (reached) => Math.min(reached, known);
    },
    reader: {
      read: async (selection) => ({
        blocks: "from" in selection ? [at(selection.from)] : [],
        release: () => undefined,
      }),
      cancel: () => undefined,
    },
  };
  const followed = (number: number): StepContext => ({
    ...context,
    record: {
      ...context.record,
      lane: { cursor: { number, hash: hashOf(number) }, traces: false },
      async record({ finalNumber }) {
        recorded.push(finalNumber);
        return 0;
      },
    },
  });
  await takeStep(chain, followed(block.number - 1));
  final = head;
  await takeStep(chain, followed(block.number));
  head += 1;
  await takeStep(chain, followed(block.number + 1));
  expect(recorded).toEqual([0, 0, block.number + 1]);
});

test.each([true, false])("blocks are read ahead only where they are taken (%s)", async (readsAhead) => {
  const read: number[] = [];
  const context = contextOf({ noteHead: async () => undefined, record: async () => 0 });
  context.memory.readsAhead = readsAhead;
  context.source = {
    ...source,
    head: async () => ({ ...block, number: block.number + 100, hash: hashOf(block.number + 100) }),
    reader: {
      async read(selection) {
        if ("from" in selection) read.push(selection.from);
        return { blocks: [block], release: () => undefined };
      },
      cancel: () => undefined,
    },
  };
  await takeStep(chain, context);
  expect(read.length > 1).toBe(readsAhead);
});

test("a step remembers how long its node took to answer, by which it is near or far", async () => {
  const context = contextOf({ noteHead: async () => undefined, record: async () => 0 });
  const { head } = source;
  context.source = { ...source, head: () => sleep(50).then(head) };
  await takeStep(chain, context);
  expect(context.memory.headMs).toBeGreaterThan(40);
});

test("what one node calls final decides nothing about the blocks of another one, which may be on another branch", async () => {
  const at = (number: number) => ({ ...block, number, hash: hashOf(number), parentHash: hashOf(number - 1) });
  const recorded: number[] = [];
  const memory = emptyMemory();
  const step = (number: number, final: number, reader: Partial<BlockSource["reader"]>): Promise<unknown> => {
    const { record } = contextOf({
      noteHead: async () => undefined,
      async record({ finalNumber }) {
        recorded.push(finalNumber);
        return 0;
      },
    });
    const read = async () => ({ blocks: [at(number)], release: () => undefined });
    return takeStep(chain, {
      memory,
      source: {
        ...source,
        head: async () => at(number),
        finality: async () => (reached) => Math.min(reached, final),
        reader: Object.assign(reader, { read, cancel: () => undefined }),
      },
      record: { ...record, lane: { cursor: { number: number - 1, hash: hashOf(number - 1) }, traces: false } },
    });
  };
  const [one, other] = [{}, {}];
  await step(block.number, block.number + 100, one);
  await step(block.number + 1, 7, other);
  await step(block.number + 2, block.number + 100, one);
  await step(block.number + 3, block.number + 100, one);
  expect(recorded).toEqual([block.number, 7, block.number + 2, block.number + 3]);
});

describe("an announced block is read while the source is asked for its head, and", () => {
  const announced = { number: block.number, hash: block.hash, parentHash: block.parentHash };
  const other = { ...block, hash: hashOf(1) };

  function announcedContext(head: BlockSource["head"], read: BlockSource["reader"]["read"]) {
    const recorded: string[] = [];
    const context = contextOf({
      noteHead: async () => undefined,
      async record({ blocks }) {
        recorded.push(...blocks.map(({ hash }) => hash));
        return 0;
      },
    });
    context.source = { ...source, head, reader: { ...source.reader, read } };
    context.memory.finality = { reader: context.source.reader, number: (reached) => reached };
    return { context, recorded };
  }
  const release = () => undefined;

  test("is not recorded by the next step if the source failed to say its head", async () => {
    const heads: (typeof block | Error)[] = [new Error("busy"), other];
    const { context, recorded } = announcedContext(
      async () => {
        const head = heads.shift() ?? other;
        if (head instanceof Error) throw head;
        return head;
      },
      async (selection) => ({
        blocks: "head" in selection && selection.head === announced ? [block] : [other],
        release,
      }),
    );
    await expect(takeStep(chain, { ...context, announced })).rejects.toThrow("busy");
    await takeStep(chain, context);
    expect(recorded).toEqual([other.hash]);
  });

  test("is read again if the source did not have it yet, which is no failure", async () => {
    let reads = 0;
    const { context, recorded } = announcedContext(
      async () => block,
      async () => {
        reads += 1;
        if (reads === 1) throw new Error("no block");
        return { blocks: [block], release };
      },
    );
    await takeStep(chain, { ...context, announced });
    expect(recorded).toEqual([block.hash]);
  });

  test("does not spoil what is read ahead while the lane catches up", async () => {
    const at = (number: number) => ({ ...block, number, hash: hashOf(number), parentHash: hashOf(number - 1) });
    const reads: number[] = [];
    let head = block.number + 8;
    const { context } = announcedContext(
      async () => at(head),
      async (selection) => {
        const [from, to] = "from" in selection ? [selection.from, selection.to] : [0, 0];
        const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
        reads.push(...numbers);
        return { blocks: numbers.map(at), release };
      },
    );
    let followed = { number: block.number, hash: hashOf(block.number) };
    while (followed.number < block.number + 8) {
      const lane = { cursor: followed, traces: false };
      const record = { ...context.record, lane };
      followed = (await takeStep(chain, { ...context, record, announced: at(head - 1) })).cursor as typeof followed;
      head += 1;
    }
    expect(reads).toEqual([...new Set(reads)]);
  });
});

test("what waits for finality is not released if another block has taken the cursor's place since", async () => {
  const heads = [
    { ...block, ...cursor },
    { ...block, number: cursor.number, hash: hashOf(1) },
  ];
  const context = contextOf({ noteHead: async () => undefined, record: async () => 0 });
  const released: unknown[] = [];
  const lane = { cursor, traces: false, held: { isDue: false, waitsForFinality: true } };
  const release = async (finalNumber?: number) => released.push(finalNumber);
  const step = (head: () => (typeof heads)[number] | undefined): Promise<unknown> =>
    takeStep(chain, {
      memory: emptyMemory(),
      source: { ...source, head: async () => head() ?? block },
      record: { ...context.record, lane, release },
    });
  await step(() => heads.shift());
  expect(released).toEqual([]);
  await step(() => ({ ...block, ...cursor }));
  expect(released).toEqual([cursor.number]);
});
