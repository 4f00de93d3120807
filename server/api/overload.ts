/**
 * Refuses at once what would only wait: the API works on so many requests at a time, and on fewer while the event loop is late, which it
 * also is when other roles of the process need it. So who is let in is answered soon, whatever else comes, and recording and sending go on.
 * What there is room for is divided among clients (shares.ts): by address until the key is known, and by account from then on. It is decided
 * before Express sees the request, so that a refusal costs a tenth of an answer.
 *
 * A request whose body is arriving, or that waits for an endpoint, is not worked on; those have room of their own. An answer that was
 * given only waits for its reader, and takes no room from others.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Express, Request, RequestHandler } from "express";
import type { Logger } from "pino";
import { callerOf } from "../contract/caller.ts";
import type { Contract } from "../contract/contract.ts";
import { operationFinder } from "../contract/operation-of-path.ts";
import type { Metrics } from "../metrics.ts";
import type { Caller } from "../store/accounts/keys.ts";
import { clientAddress } from "./client-address.ts";
import { watchLag } from "./event-loop-lag.ts";
import { refusalLog } from "./refusal-log.ts";
import { refuse } from "./refuse.ts";
import { divide, type Place } from "./shares.ts";
import { turns } from "./turns.ts";

/** So late the event loop may be before less is let in. */
const tolerableLagMs = 100;
/** So many are let in however late it is. */
const least = 8;
/** So many bodies may be on their way, for each request that may be worked on: a mebibyte of memory each. */
const arrivingForEach = 4;

/** A request that is in hand. */
type InHand = {
  /** Takes a place for a client instead of the one that it has. @returns false when there is none; the request is then refused */
  move(to: { account?: number; isArriving?: boolean }): boolean;
  /** Begins when it is the client's turn, which ends with the answer, or the next move. */
  inTurn(begin: () => void): void;
};

const inHand = new WeakMap<IncomingMessage, InHand>();

/** Refuses a request, or counts it as in hand. @returns whether it was refused */
type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;
const guards = new WeakMap<Express, Guard>();

/** Whether the app has too much in hand for one request more, which has then been answered. */
export function refusedFor(app: Express, request: IncomingMessage, response: ServerResponse): boolean {
  return guards.get(app)?.(request, response) ?? false;
}

/** What decides how much is taken in hand. */
export type OverloadOptions = {
  contract: Contract;
  /** How many requests to have in hand. */
  atOnce: number;
  /** How many connections to the database they share. */
  connections: number;
  /** Paths that are answered whatever else comes. */
  outside: ReadonlySet<string>;
  metrics: Metrics;
  log: Logger;
};

/** From now on the app takes no more in hand than it can. */
export function shedOverload(app: Express, options: OverloadOptions): void {
  const { contract, atOnce, connections, outside, metrics, log } = options;
  const find = operationFinder(contract);
  const working = divide(atOnce);
  // `testWebhook` answers when the endpoint did, within 10 s.
  const waiting = divide(atOnce, 1);
  const arriving = divide(atOnce * arrivingForEach);
  const takeTurn = turns(connections);
  const lagMs = watchLag();
  const tell = refusalLog(log);
  metrics.onScrape(() => metrics.http.inHand.set(working.used()));

  const most = () => {
    const lag = lagMs();
    return lag <= tolerableLagMs ? atOnce : Math.min(atOnce, Math.max(least, (atOnce * tolerableLagMs) / lag));
  };

  guards.set(app, (request, response) => {
    const { method = "", url = "" } = request;
    const [path = ""] = url.split("?", 1);
    if (outside.has(path)) return false;
    let client = `address ${addressOf(app, request)}`;
    let shares = working;
    let place: Place | undefined;
    let endTurn = () => {};
    const inTurn = (begin: () => void) => {
      if (shares === waiting) begin();
      else endTurn = takeTurn(client, begin);
    };
    const move: InHand["move"] = ({ account, isArriving = false }) => {
      endTurn();
      place?.leave();
      if (account !== undefined) {
        client = `account ${account}`;
        if (find(method, path)?.operationId === "testWebhook") shares = waiting;
      }
      place = isArriving ? arriving.take(client) : shares.take(client, most());
      if (place) return true;
      metrics.http.shed.inc();
      const requestId = refuseNow(response);
      const operation = find(method, path)?.operationId;
      tell({ requestId, client, operation, inHand: working.used(), lagMs: Math.round(lagMs()) });
      return false;
    };
    if (!move({})) return true;
    inHand.set(request, { move, inTurn });
    response.once("prefinish", () => {
      endTurn();
      place?.free();
    });
    response.once("close", () => {
      endTurn();
      place?.leave();
      inHand.delete(request);
    });
    return false;
  });
}

/** Stands behind the look-up of the key: from here on the request counts for its account, no more for its address, and waits for its turn. */
export const countForAccount: RequestHandler = (request, _response, next) => {
  const { accountId } = callerOf<Caller>(request) ?? {};
  const held = inHand.get(request);
  if (!held || accountId === undefined) next();
  else if (held.move({ account: accountId })) held.inTurn(next);
};

/** Does not count a request as worked on while this reads it: how long that takes is the client's doing. */
export function notInHand(read: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const held = inHand.get(request);
    if (held && !held.move({ isArriving: true })) return;
    read(request, response, (error?: unknown) => {
      // Whoever is gone meanwhile has no place to take.
      if (!held || !inHand.has(request)) next(error);
      else if (held.move({})) held.inTurn(() => next(error));
    });
  };
}

/** As Express finds it, by the proxies that are trusted. It gives the request this prototype a moment later itself. */
function addressOf(app: Express, request: IncomingMessage): string {
  return clientAddress(Object.setPrototypeOf(request, app.request) as Request);
}

/** Not all come back in the same second. @returns the identifier of the request */
function refuseNow(response: ServerResponse): string {
  const seconds = 1 + Math.floor(Math.random() * 3);
  const message = `The service has too much to do; try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
  return refuse(response, { status: 503, message }, { "retry-after": String(seconds) });
}
