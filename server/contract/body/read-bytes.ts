/** Reads the bytes of a body within bounds. body-parser would read a body beyond its limit to the end before it refuses it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import type { RequestHandler } from "express";
import { bodyRefusals, type HttpError, maxBytes, maxPackedBytes } from "../errors.ts";

const { tooLarge, tooLargePacked, unknownEncoding, unreadable } = bodyRefusals;
/** After its answer, this much of a body is read and dropped, so that the connection can go on. */
const maxDroppedBytes = 2 * maxBytes;

/** With the default size, each piece of 16 KiB would take a turn of another thread. */
const unpacking = { maxOutputLength: maxBytes, chunkSize: 131_072 };
/** No brotli: the packed body decides on a window of up to 16 MiB that we would allocate. */
const unpackers = { gzip: promisify(gunzip), deflate: promisify(inflate) };

/** @throws {HttpError} 413 beyond 1 MiB, or 320 KiB packed; 415 for an unknown encoding, 400 for a body of another encoding */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity") return collect(request, maxBytes, tooLarge);
  if (!Object.hasOwn(unpackers, encoding)) throw unknownEncoding();
  const packed = await collect(request, maxPackedBytes, tooLargePacked);
  try {
    return (await unpackers[encoding as keyof typeof unpackers](packed, unpacking)) as Buffer;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? tooLarge() : unreadable();
  }
}

function collect(request: IncomingMessage, bound: number, refusal: () => HttpError): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"]) > bound) return reject(refusal());
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= bound) return;
      request.off("data", take).pause();
      reject(refusal());
    };
    request
      .on("data", take)
      .once("end", () => resolve(Buffer.concat(chunks, size)))
      .once("error", () => reject(unreadable()));
  });
}

/** Drops what was not read of a body when it is answered, and the connection where that is too much. */
export function dropUnread(request: IncomingMessage, response: ServerResponse): void {
  // Before Node does, which would go on until the request's time is over.
  response.once("prefinish", () => {
    if (request.complete) return;
    let left = maxDroppedBytes;
    request.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.socket.destroy();
    });
    request.resume();
  });
}

/** The same as middleware, for somebody else's server. */
export const droppingUnread: RequestHandler = (request, response, next) => {
  dropUnread(request, response);
  next();
};
