/**
 * Refuses immediately what would only wait. The API works on a limited number of requests, and on fewer while the event loop is late, also
 * when other roles of the process cause that. So an admitted request is answered soon, and recording and sending go on. Places are divided
 * among clients (turns.ts): by address until the key is known, then by account. This runs before Express: a refusal costs a tenth of an
 * answer.
 *
 * A request whose body is arriving, or that waits for an endpoint, a node or what is new in a feed, needs no work; those have their own places. A
 * finished answer only waits for its reader, and holds no place.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Express, Request, RequestHandler } from "express";
import type { OperationId } from "../../../generated/operations.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { retryLater } from "../../contract/errors.ts";
import { findOperation } from "../../contract/operations.ts";
import { callerOf } from "../../contract/security.ts";
import type { Caller } from "../../store/accounts/keys.ts";
import { refusalLog, refuseConnection } from "../listening/refuse.ts";
import { clientAddress, dividePlaces, type Place, turns } from "./turns.ts";

/** Above this delay of the event loop, fewer requests are admitted. */
const tolerableLagMs = 100;
/** How many are admitted however late the event loop is. */
const minConcurrent = 8;
/** How many bodies may be arriving, for each request that may be in flight: a mebibyte of memory each. */
const arrivingForEach = 4;

const waitsForOthers: ReadonlySet<OperationId | undefined> = new Set<OperationId>([
  "testWebhook",
  "previewWebhook",
  "explainWebhook",
]);

/** An admitted request. */
type InFlight = {
  /** Swaps the request's place for one of this client. @returns false when there is none; the request is then refused */
  move(to: { account?: number; isArriving?: boolean; waits?: boolean }): boolean;
  /** Begins when it is the client's turn, which ends with the answer, or the next move. */
  inTurn(begin: () => void): void;
  /** A client may leave long before what it asked for ends in the database: its turn then lasts until that. */
  keepTurn(answering: unknown): void;
};

const inFlight = new WeakMap<IncomingMessage, InFlight>();

/** Refuses a request, or counts it as in flight. @returns whether it was refused */
type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;
const guards = new WeakMap<Express, Guard>();

/** Whether the app is too busy for this request, which has then been answered. */
export function refusedFor(app: Express, request: IncomingMessage, response: ServerResponse): boolean {
  return guards.get(app)?.(request, response) ?? false;
}

type OverloadOptions = {
  /** How many requests may be in flight. */
  maxConcurrent: number;
  /** How many connections to the database they share. */
  connections: number;
  /** How many may read feeds, which wait for as long as nothing is new. */
  readers: number;
  /** Paths that are always answered. */
  exempt: ReadonlySet<string>;
  metrics: Metrics;
  log: Logger;
};

/** From now on the app admits no more than it can do. */
export function shedOverload(app: Express, options: OverloadOptions): void {
  const { maxConcurrent, connections, readers, exempt, metrics, log } = options;
  const working = dividePlaces(maxConcurrent);
  // `testWebhook` answers when the endpoint did, previews and explanations when a node did, and so does what starts in the past.
  const waiting = dividePlaces(maxConcurrent, 1);
  const reading = dividePlaces(readers, 1);
  const arriving = dividePlaces(maxConcurrent * arrivingForEach);
  const takeTurn = turns(connections);
  const lagMs = watchLag();
  const logRefusal = refusalLog(log);
  metrics.onScrape(() => metrics.http.inFlight.set(working.used()));

  const maxNow = () => {
    const lag = lagMs();
    if (lag <= tolerableLagMs) return maxConcurrent;
    return Math.min(maxConcurrent, Math.max(minConcurrent, (maxConcurrent * tolerableLagMs) / lag));
  };

  guards.set(app, (request, response) => {
    const { method = "", url = "" } = request;
    const [path = ""] = url.split("?", 1);
    if (exempt.has(path)) return false;
    let client = `address ${addressOf(app, request)}`;
    let shares = working;
    let place: Place | undefined;
    let endTurn = () => {};
    const inTurn = (begin: () => void) => {
      if (shares === waiting || shares === reading) begin();
      else endTurn = takeTurn(client, begin);
    };
    const move: InFlight["move"] = ({ account, isArriving = false, waits = false }) => {
      endTurn();
      place?.leave();
      if (waits) shares = waiting;
      if (account !== undefined) {
        client = `account ${account}`;
        const operation = findOperation(method, path)?.operationId;
        if (waitsForOthers.has(operation)) shares = waiting;
        if (operation === "readFeed" || operation === "readOperationalFeed") shares = reading;
      }
      place = isArriving ? arriving.take(client) : shares.take(client, shares === reading ? undefined : maxNow());
      if (place) return true;
      metrics.http.shed.inc();
      const requestId = refuseNow(response);
      const operation = findOperation(method, path)?.operationId;
      logRefusal({ requestId, client, operation, inFlight: working.used(), lagMs: Math.round(lagMs()) });
      return false;
    };
    if (!move({})) return true;
    let isAnswering = false;
    let hasLeft = false;
    const keepTurn = (answering: unknown) => {
      isAnswering = true;
      const end = () => {
        isAnswering = false;
        if (hasLeft) endTurn();
      };
      Promise.resolve(answering).then(end, end);
    };
    inFlight.set(request, { move, inTurn, keepTurn });
    response.once("prefinish", () => {
      endTurn();
      place?.free();
    });
    response.once("close", () => {
      hasLeft = true;
      if (!isAnswering) endTurn();
      place?.leave();
      inFlight.delete(request);
    });
    return false;
  });
}

/** Belongs after the look-up of the key: from here on the request counts for its account, not its address, and waits for its turn. */
export const countForAccount: RequestHandler = (request, _response, next) => {
  const { accountId } = callerOf<Caller>(request) ?? {};
  const entry = inFlight.get(request);
  if (!entry || accountId === undefined) next();
  else if (entry.move({ account: accountId })) entry.inTurn(next);
};

/** Does not count a request as in flight while `read` reads its body: how long that takes is the client's doing. */
export function notInFlight(read: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const entry = inFlight.get(request);
    if (entry && !entry.move({ isArriving: true })) return;
    read(request, response, (error?: unknown) => {
      // A client that left meanwhile needs no place.
      if (!entry || !inFlight.has(request)) next(error);
      else if (entry.move({})) entry.inTurn(() => next(error));
    });
  };
}

/** Of requests with `fromBlock`: nodes are asked whether they have the block, which may take seconds. */
const waitsForNodes: ReadonlySet<OperationId | undefined> = new Set<OperationId>([
  "createWebhook",
  "addWebhookAddresses",
]);

/**
 * Counts a request that will wait for a node as one that waits, once its body says so. One whose client has left before it is answered would have no
 * turn, and is not answered.
 */
export function withPlaceToWait(answer: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const { fromBlock } = (request.body ?? {}) as { fromBlock?: unknown };
    const waits =
      fromBlock !== undefined && waitsForNodes.has(findOperation(request.method, request.path)?.operationId);
    const entry = inFlight.get(request);
    if (response.closed || (waits && entry && !entry.move({ waits: true }))) return undefined;
    const answering = answer(request, response, next);
    entry?.keepTurn(answering);
    // Returned, since it is asynchronous and may fail.
    return answering;
  };
}

/** As Express finds it, through the trusted proxies. Express itself sets this prototype a moment later. */
function addressOf(app: Express, request: IncomingMessage): string {
  return clientAddress(Object.setPrototypeOf(request, app.request) as Request);
}

/** Spreads retries over three seconds. @returns the identifier of the request */
function refuseNow(response: ServerResponse): string {
  const seconds = 1 + Math.floor(Math.random() * 3);
  return refuseConnection(response, { status: 503, ...retryLater("The service is too busy", seconds) });
}

const lagSampleMs = 100;
/** Sampling ends this long after the last reading: nothing else would wake an idle process ten times a second. */
const lagInterestMs = 10_000;

/** @returns what measures how late the event loop was recently, in ms: any new work waits that long. The first reading in a while is 0 */
function watchLag(): () => number {
  let lag = 0;
  let expectedAt = 0;
  let readAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function sample(): void {
    const now = performance.now();
    lag = Math.max(now - expectedAt, lag / 2);
    expectedAt = now + lagSampleMs;
    if (now - readAt < lagInterestMs) return;
    clearInterval(timer);
    timer = undefined;
    lag = 0;
  }

  return () => {
    readAt = performance.now();
    if (timer === undefined) {
      expectedAt = readAt + lagSampleMs;
      timer = setInterval(sample, lagSampleMs).unref();
    }
    return lag;
  };
}
