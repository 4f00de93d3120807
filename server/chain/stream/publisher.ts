/**
 * Publishes blocks, each after the last one. The stream itself refuses a writer that does not know its last message, so two processes
 * cannot fork it.
 */
import type { Logger } from "../../base/log.ts";
import type { ReadBlock } from "../read/block.ts";
import type { BlockStream, StreamState } from "./block-stream.ts";
import { BlockMessageError, toPieces } from "./pieces.ts";

/** What is in the stream, as far as this process knows. */
type Published = { number: number; hash: string; sequence: number; final: number };

export type Publisher = {
  readonly state: StreamState;
  /** The newest block that is complete; undefined if the stream has none. */
  readonly newest: Published | undefined;
  /** @returns how many bytes were sent @throws FencedError if another process has published meanwhile, StreamAwayError */
  publish(block: ReadBlock, final: number): Promise<number>;
};

/** Reads the end of the stream, which is created if need be. @throws StreamAwayError */
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
