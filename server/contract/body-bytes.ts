/**
 * Reads the bytes of a body within bounds. Not by body-parser: what is beyond its limit it reads to the end before it says so, however
 * much that is.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import type { RequestHandler } from "express";
import { badRequest, HttpError } from "./errors.ts";

const most = 1_048_576;
/**
 * Unpacking takes as long as the packed bytes are many: 6 ms for a mebibyte of random addresses, four times what parsing them takes
 * (Node 20). The largest body of use has 260 KB when packed.
 */
const mostPacked = 327_680;
/** So much of a body that was answered already is read and dropped, for the connection to go on. */
const mostDropped = 2 * most;

/** Each piece of 16 KiB, the usual size, would be a turn of another thread. */
const unpacking = { maxOutputLength: most, chunkSize: 131_072 };
/** No brotli: whoever packs a body may have it allocate a window of 16 MiB. */
const unpackers = { gzip: promisify(gunzip), deflate: promisify(inflate) };

const unreadable = "The body must be readable as its headers say.";

/** @throws {HttpError} 413 beyond 1 MiB, or 320 KiB packed; 415 for an unknown encoding, 400 where the body does not have it */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity") return collect(request, most, tooLarge);
  if (!Object.hasOwn(unpackers, encoding))
    throw new HttpError(415, "The header content-encoding must be gzip or deflate, or be left out.");
  const packed = await collect(request, mostPacked, tooLargePacked);
  try {
    return (await unpackers[encoding as keyof typeof unpackers](packed, unpacking)) as Buffer;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? tooLarge() : badRequest(unreadable);
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
      .once("error", () => reject(badRequest(unreadable)));
  });
}

/** Drops what was not read of a body when it was answered, and the connection where that is much. */
export function dropUnread(request: IncomingMessage, response: ServerResponse): void {
  // Before Node, which would go on until the request's time is over.
  response.once("prefinish", () => {
    if (request.complete) return;
    let left = mostDropped;
    request.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.socket.destroy();
    });
    request.resume();
  });
}

/** The same where the server is another's. */
export const droppingUnread: RequestHandler = (request, response, next) => {
  dropUnread(request, response);
  next();
};

const tooLarge = () => new HttpError(413, "The body must be at most 1 MiB.");
const tooLargePacked = () => new HttpError(413, "The body must be at most 320 KiB while it is compressed.");
