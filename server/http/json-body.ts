/** Reads a request's JSON body, and refuses what could be understood in two ways. */
import { isUtf8 } from "node:buffer";
import express, { type RequestHandler } from "express";
import { badRequest } from "./errors.ts";
import { jsonFault } from "./json-text.ts";
import { notInHand } from "./overload.ts";

const notJson = "The body must be a JSON object.";

/** The bytes, at most 1 MiB of them, unpacked where they are compressed. */
const readBytes = express.raw({ limit: "1mb", type: "application/json" });

const parseBytes: RequestHandler = (request, _response, next) => {
  if (Buffer.isBuffer(request.body)) request.body = parse(request.body);
  next();
};

/** Reads the body of an `application/json` request. @throws {HttpError} 400 */
export const jsonBody: readonly RequestHandler[] = [notInHand(readBytes), parseBytes];

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw badRequest("The body must be valid UTF-8.");
  // A byte order mark, which RFC 8259 lets readers pass over.
  const text = bytes.toString().replace(/^\ufeff/, "");
  if (text === "") return {};
  const value = parseJson(text);
  if (typeof value !== "object" || value === null) throw badRequest(notJson);
  const fault = jsonFault(text);
  if (fault !== undefined) throw badRequest(fault);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(notJson);
  }
}
