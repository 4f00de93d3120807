/**
 * Reads the bytes of a body within bounds. Not by body-parser: what is beyond its limit it reads to the end before it says so, however
 * much that is.
 */
import type { IncomingMessage } from "node:http";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { RequestHandler } from "express";
import { badRequest, HttpError } from "./errors.ts";

const most = 1_048_576;
/** So much of a body that was answered already is read and dropped, for the connection to go on. */
const mostDropped = 2 * most;

const unpackers = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

/** @throws {HttpError} 413 beyond 1 MiB, packed or unpacked; 415 for an unknown encoding, 400 where the body does not have it */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const { "content-encoding": encoding = "identity", "content-length": length } = request.headers;
  const unpacker = unpackerOf(encoding.toLowerCase());
  if (Number(length) > most) throw tooLarge();
  return await new Promise((resolve, reject) => {
    const stream = unpacker ? request.pipe(unpacker) : request;
    const chunks: Buffer[] = [];
    let size = 0;
    let packed = 0;
    const stop = (error: HttpError) => {
      request.unpipe();
      request.off("data", countPacked).off("data", take).pause();
      unpacker?.destroy();
      reject(error);
    };
    const countPacked = (chunk: Buffer) => {
      packed += chunk.length;
      if (packed > most) stop(tooLarge());
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > most) stop(tooLarge());
    };
    const unreadable = () => stop(badRequest("The body must be readable as its headers say."));
    if (unpacker) request.on("data", countPacked);
    stream.on("data", take).once("end", () => resolve(Buffer.concat(chunks, size)));
    unpacker?.once("error", unreadable);
    request.once("error", unreadable);
  });
}

/** Drops what was not read of a body when it was answered, and the connection where that is much. */
export const dropUnread: RequestHandler = (request, response, next) => {
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
  next();
};

function unpackerOf(encoding: string) {
  if (encoding === "identity") return undefined;
  if (!Object.hasOwn(unpackers, encoding))
    throw new HttpError(415, "The header content-encoding must be gzip, deflate or br, or be left out.");
  return unpackers[encoding as keyof typeof unpackers]();
}

const tooLarge = () => new HttpError(413, "The body must be at most 1 MiB.");
