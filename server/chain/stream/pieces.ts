/**
 * The messages of the stream. A block is one message, or several where it is over the servers' `max_payload`. Each holds a header, which
 * names the block, and a piece of its packed bytes. A digest covers both, so a message that was cut off, changed or mixed up is refused.
 */
import { createHash } from "node:crypto";
import type { Hex } from "../../matching/wire.ts";

/** What each message says of its block. */
export type BlockHeader = {
  chainId: string;
  number: number;
  hash: Hex;
  parentHash: Hex;
  /** The newest final block when this one was published. */
  final: number;
  traced: boolean;
};

/** A message: which piece of its block it holds, from 0, and of how many. */
export type Piece = BlockHeader & { piece: number; pieces: number; digest: string; bytes: Uint8Array };

/** A message, or its block, cannot be used. It never counts as a block. */
export class BlockMessageError extends Error {
  override readonly name: string = "BlockMessageError";
}

/** A message of another version: during an upgrade, or of another program. */
export class UnknownVersionError extends BlockMessageError {
  override readonly name = "UnknownVersionError";
}

/** The version of the messages. A process takes one that it does not know for a stream that is away. */
export const formatVersion = 1;

const magic = Buffer.from("CWB");
/** Magic, version, and the length of the header in two bytes. */
const preambleBytes = magic.length + 3;
/** What the header may take of a message. */
const headerBytes = 1_024;
const mostPieces = 10_000;
/**
 * How many bytes a packed block may have: eight are read at the same time. Everyday ones have 100 to 300 KB. One that has more is published, and
 * followers read it from nodes.
 */
const largestPacked = 16 * 1024 * 1024;

/** @param options.maxPayload how many bytes a message may have */
export function toPieces(header: BlockHeader, packed: Uint8Array, { maxPayload }: { maxPayload: number }): Buffer[] {
  const room = maxPayload - headerBytes;
  if (room <= 0) throw new RangeError(`max_payload must be over ${headerBytes} bytes, not ${maxPayload}`);
  const pieces = Math.max(1, Math.ceil(packed.length / room));
  if (pieces > mostPieces) throw new RangeError(`a block in ${pieces} pieces needs a larger max_payload`);
  const digest = digestOf(header, pieces, packed);
  return Array.from({ length: pieces }, (_, piece) => {
    const { chainId, number, hash, parentHash, final, traced } = header;
    const json = Buffer.from(
      JSON.stringify({ chainId, number, hash, parentHash, final, traced, piece, pieces, digest }),
    );
    const preamble = Buffer.alloc(preambleBytes);
    magic.copy(preamble);
    preamble.writeUInt8(formatVersion, magic.length);
    preamble.writeUInt16BE(json.length, magic.length + 1);
    return Buffer.concat([preamble, json, packed.subarray(piece * room, (piece + 1) * room)]);
  });
}

/** @throws BlockMessageError */
export function parsePiece(message: Uint8Array): Piece {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  if (bytes.length < preambleBytes || !bytes.subarray(0, magic.length).equals(magic))
    throw new BlockMessageError("it is no message of blocks");
  const version = bytes.readUInt8(magic.length);
  if (version !== formatVersion)
    throw new UnknownVersionError(`its format has version ${version}, not ${formatVersion}`);
  const end = preambleBytes + bytes.readUInt16BE(magic.length + 1);
  if (end > bytes.length) throw new BlockMessageError("it is cut off");
  const header = parseHeader(bytes.subarray(preambleBytes, end).toString());
  return { ...header, bytes: bytes.subarray(end) };
}

function parseHeader(text: string): Omit<Piece, "bytes"> {
  const header = parseJson(text);
  if (!isHeader(header)) throw new BlockMessageError("its header cannot be read");
  return header;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BlockMessageError("its header cannot be read");
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isHash = (value: unknown): value is Hex => typeof value === "string" && /^0x[0-9a-f]{64}$/.test(value);

function isHeader(value: unknown): value is Omit<Piece, "bytes"> {
  if (typeof value !== "object" || value === null) return false;
  const { chainId, number, hash, parentHash, final, traced, piece, pieces, digest } = value as Record<string, unknown>;
  return (
    typeof chainId === "string" &&
    [number, final, piece, pieces].every(isCount) &&
    [hash, parentHash].every(isHash) &&
    typeof traced === "boolean" &&
    typeof digest === "string" &&
    Number(piece) < Number(pieces) &&
    Number(pieces) <= mostPieces
  );
}

/**
 * Refuses a block before the rest of it is read.
 *
 * @param options.maxPayload how many bytes a message may have
 * @throws BlockMessageError
 */
export function assertReadable({ pieces }: Pick<Piece, "pieces">, { maxPayload }: { maxPayload: number }): void {
  if ((pieces - 1) * (maxPayload - headerBytes) > largestPacked)
    throw new BlockMessageError(`it has ${pieces} pieces, and a block at most ${largestPacked} bytes`);
}

/** @param pieces all of one block, in any order @returns its packed bytes, in a buffer of their own @throws BlockMessageError */
export function joinPieces(pieces: readonly Piece[]): BlockHeader & { packed: Uint8Array<ArrayBuffer> } {
  const sorted = pieces.toSorted((one, other) => one.piece - other.piece);
  const [first] = sorted;
  if (!first || sorted.length !== first.pieces || sorted.some(({ piece }, index) => piece !== index))
    throw new BlockMessageError(`it has ${pieces.length} of ${first?.pieces ?? "its"} pieces`);
  const { piece: _piece, pieces: count, digest, bytes: _bytes, ...header } = first;
  if (sorted.some((other) => other.digest !== digest || nameOf(other, other.pieces) !== nameOf(header, count)))
    throw new BlockMessageError("its pieces are of different blocks");
  const packed = new Uint8Array(sorted.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let end = 0;
  for (const { bytes } of sorted) {
    packed.set(bytes, end);
    end += bytes.length;
  }
  if (digestOf(header, count, packed) !== digest) throw new BlockMessageError("its digest is not that of its bytes");
  return { ...header, packed };
}

function digestOf(header: BlockHeader, pieces: number, packed: Uint8Array): string {
  return createHash("sha256").update(nameOf(header, pieces)).update("\n").update(packed).digest("hex");
}

function nameOf({ chainId, number, hash, parentHash, final, traced }: BlockHeader, pieces: number): string {
  return JSON.stringify([formatVersion, chainId, number, hash, parentHash, final, traced, pieces]);
}
