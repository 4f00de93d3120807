/** However small its messages are, a run of packed blocks takes no more memory than a run of a node, and a block no more time than it may. */
import { expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import {
  compressions,
  largestBlock,
  packBlock,
  packTexts,
  unpackBlock,
} from "../../../server/chain/read/packed-block.ts";
import { unpackRun } from "../../../server/chain/read/run.ts";
import { heaviestRun } from "../../../server/chain/read/run-length.ts";
import type { BlockBundle, Hex } from "../../../server/matching/wire.ts";
import { type CheckName, checkNames, rulesOf } from "../../../server/settings/chain-profiles.ts";
import { testChain } from "../../support/service.ts";

const off = Object.fromEntries(checkNames.map((name) => [name, "off"])) as Record<CheckName, "off">;
const rules = { ...rulesOf(testChain({ rpcUrl: "http://127.0.0.1:1" })), checks: off };
const { block, receipts } = recordedBundle("mainnet/20000000");
const hashOf = (index: number): Hex => `0x${index.toString(16).padStart(64, "0")}`;

/** A block with one transaction that compresses well. */
function blockOf(index: number, bytes: number): BlockBundle {
  const input: Hex = `0x${"0".repeat(bytes)}`;
  const transactions = block.transactions.slice(0, 1).map((transaction) => ({ ...transaction, input }));
  const [hash, parentHash, number] = [hashOf(index), hashOf(index - 1), `0x${index.toString(16)}` as Hex];
  return { block: { ...block, number, hash, parentHash, transactions }, receipts: receipts.slice(0, 1) };
}

function unpack(bytes: number): number[] {
  const packed = [1, 2, 3, 4].map((index) => packBlock(blockOf(index, bytes)));
  for (const { length } of packed) expect(length).toBeLessThan(heaviestRun / 100);
  const context = { chainId: "1", rules, origin: "the stream", onSkippedCheck: () => undefined };
  return unpackRun(context, { packed, traces: false, requestedAt: 0, fetchedAt: 0 }).map(({ number }) => number);
}

test("a run ends before the block that makes it too heavy, and always has its first", () => {
  expect(unpack(1_000)).toEqual([1, 2, 3, 4]);
  expect(unpack(heaviestRun * 0.4)).toEqual([1, 2]);
  expect(unpack(heaviestRun * 1.2)).toEqual([1]);
});

/** What a publisher that lies may send, in every way that this Node can compress. */
const packedAs = (main: string, traces?: string): Uint8Array[] =>
  compressions.map((compression) => packTexts(main, traces, [compression]));

test("a block that inflates to more than a block may have is refused, its traces included", () => {
  const filled = (bytes: number) => JSON.stringify({ block, receipts: [], more: " ".repeat(bytes) });
  for (const half of packedAs(filled(largestBlock / 2), `["${" ".repeat(largestBlock / 2)}"]`)) {
    expect(() => unpackBlock(half, { traces: true })).toThrow(/more than 67108864 bytes/);
    expect(unpackBlock(half, { traces: false }).block.hash).toBe(block.hash);
  }
});

test.each(["{},", "[],", '{"":[]},'])("a block full of %s is refused before it is parsed", (unit) => {
  const many = `[${unit.repeat(1_500_000)}{}]`;
  for (const packed of [
    ...packedAs(`{"block":{},"receipts":${many}}`),
    ...packedAs('{"block":{},"receipts":[]}', many),
  ])
    expect(() => unpackBlock(packed, { traces: true })).toThrow(/more objects and arrays than a block/);
});

test("real blocks pass however large, whatever their texts hold", () => {
  const accessList = Array.from({ length: 60_000 }, () => ({ address: block.hash.slice(0, 42), storageKeys: [] }));
  const input = `${'[{"\\'.repeat(500_000)}`;
  const transactions = block.transactions.map((transaction) => ({ ...transaction, accessList: [], input }));
  const large = {
    block: { ...block, transactions: [...transactions.slice(0, 1), { ...transactions[1], accessList }] },
    receipts,
  };
  for (const packed of packedAs(JSON.stringify(large)))
    expect(unpackBlock(packed, { traces: false })).toEqual(JSON.parse(JSON.stringify(large)));
});

test("a text of any length comes back, and one that was cut off is refused", () => {
  // Node decompresses into buffers of this size.
  const chunk = 16 * 1024;
  for (const length of [chunk - 1, chunk, chunk + 1, 2 * chunk, 64 * chunk]) {
    const main = JSON.stringify({ block: "", receipts: [] });
    const filled = main.replace('""', () => JSON.stringify("x".repeat(length - main.length)));
    expect(filled).toHaveLength(length);
    for (const packed of packedAs(filled)) {
      expect(JSON.stringify(unpackBlock(packed, { traces: false }))).toBe(filled);
      const cut = packed.slice(0, -3);
      new DataView(cut.buffer).setUint32(1, cut.length - 5);
      expect(() => unpackBlock(cut, { traces: false })).toThrow();
    }
  }
});

/** `{"block":{},"receipts":[]}`, compressed by Node 24. */
const byZstandard = Buffer.from("KLUv/SAa0QAAeyJibG9jayI6e30sInJlY2VpcHRzIjpbXX0=", "base64");
/** An empty frame that wants a window of 128 MB. */
const wantsMemory = Buffer.from("28b52ffd0088010000", "hex");

function packedBy(code: number, part: Buffer): Uint8Array {
  const preamble = Buffer.from([code, 0, 0, 0, part.length]);
  return Buffer.concat([preamble, part]);
}

test("what a later Node has compressed is read, or refused with the Node that it takes", () => {
  const read = () => unpackBlock(packedBy(2, byZstandard), { traces: false });
  if (compressions.some(({ code }) => code === 2)) expect(read()).toEqual({ block: {}, receipts: [] });
  else expect(read).toThrow(`Zstandard, which Node ${process.versions.node} cannot read, and 22.15 can`);
  expect(() => unpackBlock(packedBy(2, wantsMemory), { traces: false })).toThrow(/too much memory|cannot read/);
  expect(() => unpackBlock(packedBy(3, byZstandard), { traces: false })).toThrow("unknown way");
  expect(() => unpackBlock(Buffer.from([2, 0, 0]), { traces: false })).toThrow("cut off");
  expect(() => unpackBlock(packBlock(blockOf(1, 10)).subarray(0, 12), { traces: false })).toThrow("cut off");
});
