/** What the faults written by hand have in common, and short ways to say where they are. */
import { STATUS_CODES } from "node:http";
import type { Answer, Body, Breakage, Request } from "../breakage.ts";

/** What stands between a client and the correct server. */
export type Between = Omit<Breakage, "says" | "rules" | "needs">;

/** A server that breaks the contract in one thing, as people who write one do. */
export type Fault = {
  says: string;
  /** What it takes to be noticed: a second account, or a chain where something happens. */
  needs?: "accounts" | "chain";
  /** Made for each server, since it may remember something. */
  make: () => Between;
};

/** Of several, each by its name. */
export type Faults = Readonly<Record<string, Fault>>;

/** An answer of the faulty server's own. */
export const refusal = (status: number, message: string): Answer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: { message, statusCode: status, error: STATUS_CODES[status] },
});

/** Whether a request is of an operation, such as `POST /v1/webhooks/{id}/test`. */
export function asks({ method, path }: Request, operation: string): boolean {
  const [verb, pattern = ""] = operation.split(" ");
  const form = new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`);
  return method === verb && form.test(path);
}

/** The id of the webhook in a path. */
export const idIn = ({ path }: Request) => /^\/v1\/webhooks\/([0-9a-f-]{36})/i.exec(path)?.[1]?.toLowerCase() ?? "";

/** A query's parameter. */
export const queryOf = ({ path }: Request, name: string) => new URLSearchParams(path.split("?")[1] ?? "").get(name);

/** Gives a query's parameter another value, or takes it away. */
export function setQuery(request: Request, name: string, value: string | undefined): void {
  const [path = "", query = ""] = request.path.split("?");
  const all = new URLSearchParams(query);
  if (value === undefined) all.delete(name);
  else all.set(name, value);
  request.path = all.size > 0 ? `${path}?${all}` : path;
}

/** The records of webhooks in an answer's body: one, or those of a page. */
export function recordsIn(body: Body): Body[] {
  if (Array.isArray(body?.webhooks)) return body.webhooks;
  return body?.addressCount === undefined ? [] : [body];
}

/** The body that a request has, if it is a webhook to create. */
export const created = (request: Request): Body =>
  asks(request, "POST /v1/webhooks") && typeof request.body?.metadata === "object" ? request.body : undefined;

/** A text that is JSON, but not written as programs write it, becomes the object that most parsers make of it. */
export function leniently(request: Request): void {
  if (typeof request.body !== "string") return;
  try {
    const value: Body = JSON.parse(request.body);
    if (typeof value === "object" && value !== null) request.body = value;
  } catch {
    // It is none.
  }
}

/** The notifications of a POST: one, or those of a batch. */
export const sentIn = (body: Body): Body[] => (Array.isArray(body) ? body : [body]);
