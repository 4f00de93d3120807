/** Blocks are read in other threads, and come back as if they had been read here. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { BlockRefusedError } from "../../../server/chain/check/accept.ts";
import { type EndedCall, NodeError } from "../../../server/chain/nodes/node.ts";
import { readBlock } from "../../../server/chain/read/block.ts";
import { type BlockReader, createReader } from "../../../server/chain/read/reader.ts";
import { leastBusyThread, startOwnThread } from "../../../server/chain/read/threads.ts";
import type { Watcher } from "../../../server/store/webhooks/watchers.ts";
import { patienceMs } from "../../support/patience.ts";
import { type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";
import { rehashed } from "../../support/sealed.ts";
import { testChain } from "../../support/service.ts";

const bundle = recordedBundle("mainnet/20000000");
const number = Number(bundle.block.number);
const wanted = { from: number, to: number, traces: false };
const watcher: Watcher = {
  id: "6d1df3a1-32f5-4d0a-8a36-4a6b5a1f7c11",
  accountId: 1,
  shard: 3,
  eventSignatures: new Set(),
  includeInternalTxs: false,
  includeLogs: true,
};

let stub: RpcProxy;
let reader: BlockReader;
let controller: AbortController;
let calls: EndedCall[];
/** Every thread that was begun here. */
const workers: Worker[] = [];
process.on("worker", (worker: Worker) => void workers.push(worker));
beforeEach(async () => {
  stub = await startRpcProxy();
  stub.answer = ({ method }) => ({ result: method === "eth_getBlockReceipts" ? bundle.receipts : bundle.block });
  [controller, calls] = [new AbortController(), []];
  const chain = { ...testChain({ rpcUrl: stub.url }), chainId: "1" };
  const onCall = (call: EndedCall) => calls.push(call);
  reader = createReader({ url: stub.url, chain, signal: controller.signal, onCall, onSkippedCheck: () => undefined });
});
afterEach(async () => {
  controller.abort();
  await stub.close();
});

test("a block read in a thread is the same, and so are its matches", async () => {
  const { blocks, release } = await reader.read(wanted);
  const here = readBlock(bundle, "1");
  const times = { requestedAt: expect.any(Number), fetchedAt: expect.any(Number), checkedAt: expect.any(Number) };
  expect(blocks).toEqual([
    { ...here, times, match: expect.any(Function), answer: expect.any(Function), pack: expect.any(Function) },
  ]);
  const watchedBy = new Map(here.participants.slice(0, 40).map((address) => [address, [watcher]]));
  const matched = await blocks[0]?.match(watchedBy);
  expect(matched).toEqual(await here.match(watchedBy));
  expect(matched?.matches.length).toBeGreaterThan(10);
  release();
});

test("blocks of one run match as each would alone, although a run keeps only raw responses", async () => {
  const { block } = bundle;
  const child = rehashed({
    ...bundle,
    block: { ...block, number: `0x${(number + 1).toString(16)}`, parentHash: block.hash },
  });
  const bundles = [bundle, child];
  stub.answer = ({ method, params: [ref] }) => {
    const asked = bundles.find(({ block: { hash, number } }) => ref === hash || ref === number);
    return { result: method === "eth_getBlockReceipts" ? asked?.receipts : asked?.block };
  };
  const { blocks, release } = await reader.read({ ...wanted, to: number + 1 });
  expect(blocks.map(({ hash }) => hash)).toEqual([block.hash, child.block.hash]);
  for (const [index, each] of bundles.entries()) {
    const here = readBlock(each, "1");
    const watchedBy = new Map(here.participants.slice(0, 40).map((address) => [address, [watcher]]));
    for (const _ of ["once", "again"])
      expect(await blocks[index]?.match(watchedBy)).toEqual(await here.match(watchedBy));
  }
  release();
});

test("matches of a thread ask once for the tokens that were transferred, where the transfers are wanted", async () => {
  const { blocks, release } = await reader.read(wanted);
  const here = readBlock(bundle, "1");
  const watchedBy = (options: Watcher["options"]) =>
    new Map(here.participants.slice(0, 40).map((address) => [address, [{ ...watcher, ...(options && { options }) }]]));
  const asked: string[] = [];
  const tokens = async (contracts: readonly string[]) => {
    asked.push(...contracts);
    return new Map(contracts.map((contract) => [contract, { name: "Some", symbol: "S", decimals: 6 }]));
  };
  await blocks[0]?.match(watchedBy(undefined), tokens);
  expect(asked).toEqual([]);
  const matched = await blocks[0]?.match(watchedBy({ includeTransfers: true }), tokens);
  expect(asked.length).toBeGreaterThan(5);
  expect(new Set(asked).size).toBe(asked.length);
  expect(matched).toEqual(await here.match(watchedBy({ includeTransfers: true }), tokens));
  expect(matched?.events.some(({ body }) => body.includes('"symbol":"S","decimals":6'))).toBe(true);
  const failing = () => Promise.reject(new NodeError("no", { method: "eth_call", origin: "" }));
  const failed = blocks[0]?.match(watchedBy({ includeTransfers: true }), failing);
  await expect(failed).rejects.toBeInstanceOf(NodeError);
  release();
});

test("each call of a node is reported", async () => {
  await reader.read(wanted);
  expect(calls.map(({ method, outcome }) => [method, outcome])).toEqual([
    ["eth_getBlockByNumber", "ok"],
    ["eth_getBlockReceipts", "ok"],
  ]);
});

test("a released run frees its memory", async () => {
  const { blocks, release } = await reader.read(wanted);
  release();
  await expect(blocks[0]?.match(new Map())).rejects.toThrow("the block was released");
});

test("a request that cannot be handed to a thread fails, and does not count as pending", async () => {
  const thread = leastBusyThread("following");
  const before = thread.pending();
  const watchedBy = new Map([["0x", [{ ...watcher, options: () => undefined }]]]) as never;
  const place = { reader: 0, run: 0, index: 0 };
  await expect(thread.request({ request: "match", ...place, watchedBy })).rejects.toThrow("could not be cloned");
  expect(thread.pending()).toBe(before);
});

test("the main thread stays free meanwhile", async () => {
  await reader.read(wanted);
  let turns = 0;
  const count = () => {
    turns += 1;
    ticking = setImmediate(count);
  };
  let ticking = setImmediate(count);
  await reader.read(wanted);
  clearImmediate(ticking);
  expect(turns).toBeGreaterThan(10);
});

test("concurrent reads each get their own blocks", async () => {
  const spoilt = structuredClone(bundle);
  spoilt.receipts.pop();
  stub.answer = ({ method, params: [ref] }) => {
    if (method === "eth_getBlockReceipts") return { result: ref === bundle.block.hash ? bundle.receipts : [] };
    return { result: Number(ref) === number ? bundle.block : null };
  };
  const reads = [number, number + 1, number].map((from) => reader.read({ from, to: from, traces: false }));
  expect((await Promise.all(reads)).map(({ blocks }) => blocks.length)).toEqual([1, 0, 1]);
});

test("an error keeps its class across threads", async () => {
  stub.answer = () => ({ status: 429, text: "", headers: { "retry-after": "7" } });
  const throttled = await reader.read(wanted).catch((error: unknown) => error);
  expect(throttled).toBeInstanceOf(NodeError);
  expect(throttled).toMatchObject({ throttled: true, retryAfterMs: 7_000, message: expect.stringContaining("429") });

  const receipts = bundle.receipts.slice(1);
  stub.answer = ({ method }) => ({ result: method === "eth_getBlockReceipts" ? receipts : bundle.block });
  const refused = await reader.read(wanted).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BlockRefusedError);
  expect(refused).toMatchObject({ check: "receipts", block: { number, hash: bundle.block.hash }, node: stub.url });
});

test("cancelled reads end immediately", async () => {
  stub.answer = () => new Promise(() => undefined);
  const read = reader.read(wanted).catch((error: unknown) => error);
  while (stub.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  reader.cancel();
  expect(await read).toMatchObject({ unanswered: "cancelled" });
});

test("when a thread ends, its pending reads fail and the next block uses another thread", async () => {
  // Enough concurrent reads to start threads.
  stub.answer = () => new Promise(() => undefined);
  const reads = Array.from({ length: 8 }, () => reader.read(wanted).catch((error: unknown) => error));
  while (stub.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const worker of workers) await worker.terminate();
  reader.cancel();
  const errors = await Promise.all(reads);
  expect(errors).toEqual(errors.map(() => new Error("a reading thread ended: it was terminated")));
  stub.answer = ({ method }) => ({ result: method === "eth_getBlockReceipts" ? bundle.receipts : bundle.block });
  expect((await reader.read(wanted)).blocks).toHaveLength(1);
});

test("a request that cannot be passed to a thread fails", async () => {
  const packed = [new Uint8Array(64)];
  const [{ buffer }] = packed as [Uint8Array<ArrayBuffer>];
  structuredClone(buffer, { transfer: [buffer] });
  const from = { packed, traces: false, requestedAt: 0, fetchedAt: 0 };
  await expect(leastBusyThread("following").request({ request: "unpack", reader: 0, run: 0, from })).rejects.toThrow();
});

test("a thread that has nothing to read lets the process end", async () => {
  const threads = new URL("../../../server/chain/read/threads.ts", import.meta.url);
  const start = `(await import(${JSON.stringify(threads.href)})).leastBusyThread("following")`;
  // Were it to stay, it would be killed here, which is an error.
  await promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", start], {
    timeout: patienceMs,
  });
});

test.runIf(process.platform === "linux")("what reads in the background leaves the processors to others", async () => {
  const threads = () => new Set(readdirSync("/proc/self/task"));
  /** Of the threads that have started since. */
  const priorities = (before: Set<string>) =>
    [...threads()].filter((id) => !before.has(id)).map((id) => getPriority(Number(id)));
  const before = threads();
  const own = startOwnThread();
  await own.ready;
  expect(priorities(before)).toContain(constants.priority.PRIORITY_BELOW_NORMAL);
  own.end();
  // The process itself stays as it was.
  expect(getPriority()).toBeLessThan(constants.priority.PRIORITY_BELOW_NORMAL);

  const since = threads();
  const chain = { ...testChain({ rpcUrl: stub.url }), chainId: "1" };
  const { signal } = controller;
  const onCall = () => undefined;
  const of = { url: stub.url, chain, signal, onCall, onSkippedCheck: onCall };
  const { blocks } = await createReader({ ...of, purpose: "background" }).read(wanted);
  expect(blocks[0]?.hash).toBe(bundle.block.hash);
  expect(priorities(since)).toContain(constants.priority.PRIORITY_BELOW_NORMAL);
});

test("own threads that are ended while they start, or as soon as they can work, do no harm", async () => {
  const before = workers.length;
  const started = Array.from({ length: 8 }, startOwnThread);
  for (const [index, own] of started.entries()) {
    if (index % 2 === 0) own.end();
    else void own.ready.then(() => own.end());
  }
  await Promise.all(started.map(({ ready }) => ready));
  const exits = workers.slice(before).map((worker) => worker.threadId === -1 || once(worker, "exit"));
  expect(exits).toHaveLength(8);
  await Promise.all(exits);
  for (const own of started)
    await expect(own.request({ request: "read", reader: 0, run: 0, selection: wanted })).rejects.toThrow("ended");
});

test("an own thread reads nothing for others, and ends in the middle of its work", async () => {
  const own = startOwnThread();
  const chain = { ...testChain({ rpcUrl: stub.url }), chainId: "1" };
  const { signal } = controller;
  const onCall = () => undefined;
  const ours = createReader({ url: stub.url, chain, signal, onCall, onSkippedCheck: onCall, thread: own });
  const { blocks } = await ours.read(wanted);
  expect(blocks[0]?.hash).toBe(bundle.block.hash);
  const worker = workers.at(-1);
  const pendingBefore = own.pending();
  const shared = reader.read(wanted);
  expect([pendingBefore, own.pending()]).toEqual([0, 0]);
  (await shared).release();

  stub.answer = () => new Promise<never>(() => {});
  const pending = [ours.read(wanted), blocks[0]?.answer({ webhook: watcher, watched: new Map(), payloads: true })];
  const left = worker && once(worker, "exit");
  own.end();
  for (const request of pending) await expect(request).rejects.toThrow("a reading thread ended: it was terminated");
  await left;
  expect(own.hasEnded()).toBe(true);
  await expect(ours.read(wanted)).rejects.toThrow("a reading thread ended");
});
