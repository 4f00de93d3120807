/** A block survives its way through messages, in pieces of any size and any order. What is not exactly those pieces is refused. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { packBlock, unpackBlock } from "../../../server/chain/read/packed-block.ts";
import {
  type BlockHeader,
  BlockMessageError,
  joinPieces,
  parsePiece,
  toPieces,
  UnknownVersionError,
} from "../../../server/chain/stream/pieces.ts";

const bundle = recordedBundle("mainnet/20000000");
const traced = { ...bundle, traces: bundle.block.transactions.map(({ hash }) => ({ txHash: hash, error: "made" })) };
const header: BlockHeader = {
  chainId: "1",
  number: Number(bundle.block.number),
  hash: bundle.block.hash,
  parentHash: bundle.block.parentHash,
  final: 7,
  traced: true,
};
const packed = packBlock(traced);
const piecesOf = (maxPayload: number) => toPieces(header, packed, { maxPayload });
const join = (messages: readonly Uint8Array[]) => joinPieces(messages.map(parsePiece));

test("a bundle is the same after its way, with traces where they are wanted", () => {
  expect(unpackBlock(packed, { traces: true })).toEqual(traced);
  expect(unpackBlock(packed, { traces: false })).toEqual(bundle);
  expect(unpackBlock(packBlock(bundle), { traces: true })).toEqual(bundle);
  expect(packed.length).toBeLessThan(JSON.stringify(traced).length / 4);
});

test("no message is over max_payload, and pieces in any order give the block", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_100, max: 2_000_000 }), fc.infiniteStream(fc.nat()), (maxPayload, order) => {
      const messages = piecesOf(maxPayload);
      for (const message of messages) expect(message.length).toBeLessThanOrEqual(maxPayload);
      const shuffled = messages
        .map((message) => ({ message, at: order.next().value }))
        .sort((one, other) => one.at - other.at)
        .map(({ message }) => message);
      const joined = join(shuffled);
      expect(joined).toEqual({ ...header, packed: expect.anything() });
      expect(Buffer.compare(joined.packed, packed)).toBe(0);
      // Threads take it over.
      expect(joined.packed.buffer.byteLength).toBe(packed.length);
    }),
    { numRuns: 50 },
  );
});

test("a message with any byte changed is refused", () => {
  const messages = piecesOf(20_000);
  expect(messages.length).toBeGreaterThan(2);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (which, where, by) => {
      const index = which % messages.length;
      const changed = Buffer.from(messages[index] ?? []);
      // Half of them in the first bytes, which have the header.
      const at = where % (where % 2 ? Math.min(700, changed.length) : changed.length);
      changed[at] = (changed[at] ?? 0) ^ by;
      const all = messages.with(index, changed);
      expect(() => join(all)).toThrow(BlockMessageError);
    }),
    { numRuns: 500 },
  );
});

test("a message that is cut off, missing, double or of another block is refused", () => {
  const messages = piecesOf(20_000);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (which, length) => {
      const index = which % messages.length;
      const whole = messages[index] ?? Buffer.alloc(0);
      expect(() => join(messages.with(index, whole.subarray(0, length % whole.length)))).toThrow(BlockMessageError);
      expect(() => join(messages.toSpliced(index, 1))).toThrow(BlockMessageError);
      expect(() => join([...messages, whole])).toThrow(BlockMessageError);
    }),
    { numRuns: 200 },
  );
  const other = toPieces({ ...header, number: header.number + 1 }, packed, { maxPayload: 20_000 });
  expect(() => join([other[0] ?? Buffer.alloc(0), ...messages.slice(1)])).toThrow(BlockMessageError);
  expect(() => join([])).toThrow(BlockMessageError);
});

test("any other bytes are refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (bytes, isAlike) => {
      const message = isAlike ? Buffer.concat([(piecesOf(20_000)[0] ?? Buffer.alloc(0)).subarray(0, 6), bytes]) : bytes;
      expect(() => join([message])).toThrow(BlockMessageError);
    }),
  );
});

test("a message of another version says so", () => {
  const [message = Buffer.alloc(0)] = piecesOf(2_000_000);
  message[3] = 2;
  expect(() => parsePiece(message)).toThrow(UnknownVersionError);
});
