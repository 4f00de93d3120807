/**
 * Refuses at once what would only wait: the API works on so many requests at a time, and on fewer while the event loop is late, which it
 * also is when other roles of the process need it. So who is let in is answered soon, whatever else comes, and recording and sending go on.
 * A request that is only on its way in, or waits for an endpoint, is not worked on. It is decided before Express sees the request, so that
 * a refusal costs a tenth of an answer.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Express, RequestHandler } from "express";
import type { Metrics } from "../metrics.ts";
import { errorBody } from "./errors.ts";
import { requestIdHeader } from "./request-log.ts";

const sampleMs = 100;
/** So late the event loop may be before less is let in. */
const tolerableLagMs = 100;
/** So many are let in however late it is. */
const least = 8;

/** What counts requests in hand. */
type Slots = { take(): void; give(): void };

const slotsOf = new WeakMap<IncomingMessage, Slots>();

/** Refuses a request, or counts it as in hand. @returns whether it was refused */
type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;
const guards = new WeakMap<Express, Guard>();

/** Whether the app has too much in hand for one request more, which has then been answered. */
export function refusedFor(app: Express, request: IncomingMessage, response: ServerResponse): boolean {
  return guards.get(app)?.(request, response) ?? false;
}

/** From now on the app takes no more in hand than it can. @param atOnce how many requests to work on */
export function shedOverload(app: Express, atOnce: number, metrics: Metrics): void {
  const working = { count: 0, most: atOnce };
  const waiting = { count: 0, most: Math.ceil(atOnce / 4) };
  const lagMs = watchLag();
  metrics.onScrape(() => metrics.http.inHand.set(working.count));
  guards.set(app, (request, response) => {
    const { url = "" } = request;
    if (healthPath.test(url)) return false;
    const kind = waitsForEndpoint(request) ? waiting : working;
    const lag = lagMs();
    const most =
      lag <= tolerableLagMs ? kind.most : Math.max(Math.min(least, kind.most), (kind.most * tolerableLagMs) / lag);
    if (kind.count >= most) {
      metrics.http.shed.inc();
      const { headers, body } = refusal();
      response.writeHead(503, headers).end(body);
      return true;
    }
    let taken = false;
    const slots: Slots = {
      take() {
        if (!taken) kind.count += 1;
        taken = true;
      },
      give() {
        if (taken) kind.count -= 1;
        taken = false;
      },
    };
    slots.take();
    slotsOf.set(request, slots);
    response.once("close", () => {
      slotsOf.delete(request);
      slots.give();
    });
    return false;
  });
}

/** Does not count a request as in hand while this reads it: how long that takes is the client's doing. */
export function notInHand(read: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const slots = slotsOf.get(request);
    slots?.give();
    read(request, response, (error?: unknown) => {
      // Whoever is gone meanwhile has no slot to take.
      if (slotsOf.has(request)) slots?.take();
      next(error);
    });
  };
}

/** Whoever watches the process is answered whatever else comes. */
const healthPath = /^\/(healthz|readyz)(\/|\?|$)/;
/** `testWebhook` answers when the endpoint did. */
const waitsForEndpoint = ({ method, url = "" }: IncomingMessage) => method === "POST" && url.endsWith("/test");

/** @returns what tells how late the event loop was of late, in ms */
function watchLag(): () => number {
  let lag = 0;
  let expectedAt = performance.now() + sampleMs;
  const timer = setInterval(() => {
    const now = performance.now();
    lag = Math.max(now - expectedAt, lag / 2);
    expectedAt = now + sampleMs;
  }, sampleMs);
  timer.unref();
  return () => lag;
}

/** Not all come back in the same second. */
function refusal() {
  const seconds = 1 + Math.floor(Math.random() * 3);
  const message = `The service has too much to do; try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
  const body = JSON.stringify(errorBody({ status: 503, message }));
  const headers = {
    [requestIdHeader]: randomUUID(),
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "retry-after": String(seconds),
  };
  return { headers, body };
}
