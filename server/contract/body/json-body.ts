/**
 * Reads a request's JSON body where its operation takes one, and refuses what could be understood in two ways. A body that comes with any
 * other request is neither unpacked nor parsed.
 */
import { isAscii, isUtf8, transcode } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { RequestHandler } from "express";
import type { Contract } from "../contract.ts";
import { badRequest, HttpError } from "../errors.ts";
import { operationOf } from "../operations.ts";
import { bodyChecks } from "./check.ts";
import { beyondBounds, countFields } from "./json-bounds.ts";
import { jsonFault } from "./json-text.ts";
import { readBytes } from "./read-bytes.ts";

const notJson = "The body must be a JSON object.";
const noBody = "The body is required and must be a JSON object.";

/** Surrounds what reads bodies: how long that takes is the client's doing. */
export type WrapBodyReader = (read: RequestHandler) => RequestHandler;

const readBody: RequestHandler = async (request, _response, next) => {
  try {
    request.body = await readBytes(request);
    next();
  } catch (error) {
    next(error);
  }
};

/** Compiling takes 15 ms of processor, and a process may have several servers. */
const compiled = new WeakMap<Contract, ReturnType<typeof bodyChecks>>();

/** Reads the body, and checks it against its operation's schema. Belongs after the validator, which finds the operation. */
export function jsonBody(contract: Contract, wrapBodyReader: WrapBodyReader = (read) => read): RequestHandler {
  const checks = compiled.get(contract) ?? bodyChecks(contract);
  compiled.set(contract, checks);
  const read = wrapBodyReader(readBody);
  return (request, response, next) => {
    const check = checks.get(operationOf(request) ?? "");
    if (!check) return next();
    if (isWithoutBody(request.headers)) throw badRequest(noBody);
    if (request.headers["content-type"] !== "application/json")
      throw new HttpError(415, "The header content-type must be application/json.");
    read(request, response, (error?: unknown) => {
      if (error) return next(error);
      try {
        request.body = parse(request.body);
        check(request.body);
      } catch (fault) {
        return next(fault);
      }
      next();
    });
  };
}

function isWithoutBody(headers: IncomingHttpHeaders): boolean {
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
}

/** @throws {HttpError} 400 */
function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw badRequest("The body must be valid UTF-8.");
  const fields = countFields(bytes);
  if (fields === undefined) throw badRequest(beyondBounds);
  // RFC 8259 lets readers ignore a byte order mark.
  const text = textOf(bytes).replace(/^\ufeff/, "");
  if (text === "") throw badRequest(noBody);
  const value = parseJson(text);
  if (typeof value !== "object" || value === null) throw badRequest(notJson);
  const fault = jsonFault(text, value, fields);
  if (fault !== undefined) throw badRequest(fault);
  return value;
}

/** `toString` takes 6 ms for a mebibyte of letters beyond ASCII, this 1 ms (Node 20). */
function textOf(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString("latin1") : transcode(bytes, "utf8", "utf16le").toString("utf16le");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(notJson);
  }
}
