/**
 * The stream of one chain's blocks. A block's messages have its number in their subject, so the newest block of a number is found
 * without reading the others. Of two blocks of one number the later belongs to the chain; its sequence is above that of its parent.
 */
import type { JetStreamApiError, StoredMsg, StreamConfig } from "@nats-io/jetstream";
import type { Logger } from "../../base/log.ts";
import type { ReadBlock } from "../read/block.ts";
import type { BlocksConnection, Nats } from "./connection.ts";
import {
  assertReadable,
  type BlockHeader,
  BlockMessageError,
  joinPieces,
  type Piece,
  parsePiece,
  toPieces,
} from "./pieces.ts";

/** No server is connected, it does not answer, or it has no such stream. */
export class StreamAwayError extends Error {
  override readonly name = "StreamAwayError";
}

/** The stream has another last message than the writer knew: another process publishes. */
export class FencedError extends Error {
  override readonly name = "FencedError";
}

type StoredPiece = Piece & { sequence: number };
/** A block's header, and the sequence of its last message. */
type StoredHeader = BlockHeader & { sequence: number };
export type StoredBlock = StoredHeader & { packed: Uint8Array<ArrayBuffer> };

/** What the stream is at the moment. */
type StreamState = {
  /** Changes when the stream is created again, and then counts from 1. */
  identity: string;
  /** The sequence of its last message; 0 if there never was one. */
  lastSequence: number;
};

/** Every function throws StreamAwayError, and BlockMessageError for a message that cannot be used. */
export type BlockStream = {
  /** Names it in logs. */
  readonly origin: string;
  state(): Promise<StreamState>;
  /** Creates the stream, or gives it its present bounds. */
  ensure(): Promise<StreamState>;
  /** @returns the last message's block, complete or not; undefined if there is none */
  last(): Promise<StoredPiece | undefined>;
  /** @param sequence above 0 @returns the message; undefined if there is none */
  at(sequence: number): Promise<StoredPiece | undefined>;
  /** @param above only a block after this sequence counts @returns the newest block of this number; undefined if there is none */
  header(number: number, above?: number): Promise<StoredHeader | undefined>;
  block(number: number, above?: number): Promise<StoredBlock | undefined>;
  /** Appends a message after the one of this sequence. @returns its own @throws FencedError if another message is the last */
  append(number: number, message: Uint8Array, after: number): Promise<number>;
  maxPayload(): number;
};

const wrongLastSequence = [10071, 10164];
const streamNotFound = 10059;
const noMessageFound = 10037;

type Query = { seq: number } | { last_by_subj: string };
const hourInNanoseconds = 3_600e9;

export const headsSubject = (chainId: string) => `chain-webhooks.heads.${chainId}`;

export function openBlockStream(connection: BlocksConnection, chainId: string): BlockStream {
  const name = `chain-webhooks-blocks-${chainId}`;
  const subjectOf = (number: number | "*") => `chain-webhooks.blocks.${chainId}.${number}`;
  const { maxAgeHours, maxMegabytes, replicas } = connection.config;
  const bounds: Partial<StreamConfig> = {
    subjects: [subjectOf("*")],
    max_age: maxAgeHours * hourInNanoseconds,
    max_bytes: maxMegabytes * 1024 * 1024,
    num_replicas: replicas,
    allow_direct: true,
  };

  async function call<T>(request: (nats: Nats) => Promise<T>): Promise<T> {
    const nats = connection.current();
    if (!nats) throw new StreamAwayError("no server is connected");
    try {
      return await request(nats);
    } catch (error) {
      if (wrongLastSequence.includes(codeOf(error))) throw new FencedError((error as Error).message);
      throw new StreamAwayError((error as Error).message, { cause: error });
    }
  }

  /** Any server that stores the stream answers, which may lag. */
  async function find(query: Query): Promise<StoredMsg | undefined> {
    return (await call(({ manager }) => manager.direct.getMessage(name, query))) ?? undefined;
  }

  /** Only the server that leads the stream answers. */
  async function findAtLeader(query: Query): Promise<StoredMsg | undefined> {
    return call(({ manager }) =>
      manager.streams.getMessage(name, query).then(
        (message) => message ?? undefined,
        (error: unknown) => {
          if (codeOf(error) === noMessageFound) return undefined;
          throw error;
        },
      ),
    );
  }

  function parse(message: StoredMsg): StoredPiece {
    const piece = parsePiece(message.data);
    if (piece.chainId !== chainId) throw new BlockMessageError(`it is of chain ${piece.chainId}`);
    return { ...piece, sequence: message.seq };
  }

  /** The last piece of the newest block of a number. */
  async function lastPiece(number: number, above = 0): Promise<StoredPiece | undefined> {
    const query = { last_by_subj: subjectOf(number) };
    const found = await find(query);
    const message = found && found.seq > above ? found : await findAtLeader(query);
    if (!message || message.seq <= above) return undefined;
    const piece = parse(message);
    if (piece.number !== number) throw new BlockMessageError(`it is of block ${piece.number}, not ${number}`);
    if (piece.piece !== piece.pieces - 1)
      throw new BlockMessageError(`it has ${piece.piece + 1} of ${piece.pieces} pieces`);
    return piece;
  }

  async function stateOf(nats: Nats): Promise<StreamState> {
    const { created, state } = await nats.manager.streams.info(name);
    return { identity: created, lastSequence: state.last_seq };
  }

  const maxPayload = () => connection.current()?.connection.info?.max_payload ?? 1024 * 1024;

  return {
    origin: `${connection.origin}/${name}`,
    state: () => call(stateOf),
    ensure: () =>
      call(async (nats) => {
        try {
          await nats.manager.streams.update(name, bounds);
        } catch (error) {
          if (codeOf(error) !== streamNotFound) throw error;
          await nats.manager.streams.add({ name, ...bounds });
        }
        return stateOf(nats);
      }),
    async last() {
      const message = await findAtLeader({ last_by_subj: subjectOf("*") });
      return message && parse(message);
    },
    async at(sequence) {
      const message = await findAtLeader({ seq: sequence });
      return message && parse(message);
    },
    header: lastPiece,
    async block(number, above) {
      const last = await lastPiece(number, above);
      if (!last) return undefined;
      assertReadable(last, { maxPayload: maxPayload() });
      // A single writer at a time appends them, so they are next to one another.
      const others = Array.from({ length: last.piece }, (_, index) =>
        find({ seq: last.sequence - last.piece + index }),
      );
      const pieces = (await Promise.all(others)).map((message) => {
        if (!message) throw new BlockMessageError("a piece is missing");
        return parse(message);
      });
      return { ...joinPieces([...pieces, last]), sequence: last.sequence };
    },
    append: (number, message, after) =>
      call(async ({ stream }) => {
        const { seq } = await stream.publish(subjectOf(number), message, {
          expect: { streamName: name, lastSequence: after },
          retries: 0,
        });
        return seq;
      }),
    maxPayload,
  };
}

const codeOf = (error: unknown): number =>
  error instanceof Error && "code" in error ? Number((error as JetStreamApiError).code) : Number.NaN;

/** What is in the stream, as far as this process knows. */
type Published = { number: number; hash: string; sequence: number; final: number };

export type Publisher = {
  readonly state: StreamState;
  /** The newest block that is complete; undefined if the stream has none. */
  readonly newest: Published | undefined;
  /** @returns how many bytes were sent @throws FencedError if another process has published meanwhile, StreamAwayError */
  publish(block: ReadBlock, final: number): Promise<number>;
};

/**
 * Reads the end of the stream, which is created if need be, to publish blocks after it. The stream itself refuses a writer that does not know
 * its last message, so two processes cannot fork it.
 *
 * @throws StreamAwayError
 */
export async function openPublisher(
  stream: BlockStream,
  { chainId, log }: { chainId: string; log: Logger },
): Promise<Publisher> {
  const state = await stream.ensure();
  let newest = await newestComplete(stream).catch((error: unknown) => {
    if (!(error instanceof BlockMessageError)) throw error;
    // As after an upgrade that is undone. Followers read from nodes what the stream now lacks.
    log.warn({ stream: stream.origin, reason: error.message }, "the last message of the stream cannot be used");
    return undefined;
  });
  let last = state.lastSequence;
  return {
    state,
    get newest() {
      return newest;
    },
    async publish(block, final) {
      const { number, hash, parentHash, traced } = block;
      const header = { chainId, number, hash, parentHash, final, traced };
      const pieces = toPieces(header, await block.pack(), { maxPayload: stream.maxPayload() });
      let bytes = 0;
      for (const piece of pieces) {
        last = await stream.append(number, piece, last);
        bytes += piece.length;
      }
      newest = { number, hash, final, sequence: last };
      return bytes;
    },
  };
}

/** Skips the pieces of blocks whose writers ended before the last one. */
async function newestComplete(stream: BlockStream): Promise<Published | undefined> {
  let found = await stream.last();
  while (found && found.piece < found.pieces - 1) {
    const before = found.sequence - found.piece - 1;
    found = before > 0 ? await stream.at(before) : undefined;
  }
  if (!found) return undefined;
  const { number, hash, final, sequence } = found;
  return { number, hash, final, sequence };
}
