/** An endpoint that shows what it is sent, and can stand in front of another one without that one noticing. */
import express, { type Express, type Request, type Response } from "express";
import { readBounded } from "../../../client/receiver/receive.ts";
import { notificationHeader } from "../../../generated/notification-header.ts";
import { errorBody, HttpError } from "../../../server/contract/errors.ts";
import { sentByPage } from "../local-access.ts";
import { coloured, type Paint, printable, type Stream } from "../terminal.ts";
import { describe } from "./describe.ts";
import { type ForwardedAnswer, forward } from "./forward.ts";
import { type Inspected, inspect } from "./inspect.ts";
import { whyNoAnswer } from "./send.ts";

const maxBodyBytes = 16 * 1024 * 1024;

/** How to listen. */
export type ListenerOptions = {
  /** Verifies with this one; undefined verifies nothing. */
  secret: string | undefined;
  /** Where requests are passed on to; undefined answers them here. */
  forwardTo: string | undefined;
  /** Called for each request with a line for people, and the body where it is JSON. No sender can write control characters into the line. */
  show: (line: string, body: unknown) => void;
  /** Where the lines are shown, which decides about their colours. Default: standard output. */
  terminal?: Stream;
};

/**
 * Makes the endpoint. Where it forwards, the sender gets the answer of the other endpoint, or 502 when none comes; otherwise
 * 204, or 400 for what does not verify or is no notification.
 */
export function createListener({ secret, forwardTo, show, terminal }: ListenerOptions): Express {
  const app = express().disable("x-powered-by").disable("etag");
  app.use(async (request: Request, response: Response) => {
    const refusal = sentByPage(request);
    if (refusal) return send(response, failure(403, refusal));
    if (request.method !== "POST") return send(response, failure(405, "The method must be POST.", { allow: "POST" }));
    // Not for await: leaving such a loop destroys the connection, and with it the answer.
    const chunks = request[Symbol.asyncIterator]();
    const body = await readBounded(() => chunks.next(), maxBodyBytes).catch(() => null);
    if (body === null) return response.destroy();
    if (!body) return send(response, failure(413, "The body must be at most 16 MiB.", { connection: "close" }));

    const startedAt = performance.now();
    const inspected = await inspect(body, request.headers, secret);
    const { answer, reported } = forwardTo
      ? await passOn(forwardTo, request.rawHeaders, body)
      : { answer: ownAnswer(inspected), reported: "answered" };
    const sequence = request.get(notificationHeader.sequence) ?? "?";
    const { notifications, acceptable, verdict } = inspected;
    const paint: Paint = (colour, text) => coloured(colour, printable(text), terminal);
    const verified = paint(!acceptable ? "red" : secret === undefined ? "yellow" : "green", verdict);
    const answered = paint(
      answer.status >= 200 && answer.status < 300 ? "green" : "red",
      `${reported} ${answer.status}`,
    );
    const took = forwardTo ? ` in ${Math.round(performance.now() - startedAt)} ms` : "";
    const showOne = (number: string | number, what: string, value: unknown) =>
      show(`${printable(`#${number}  ${what}`)}  ${verified}  ${answered}${took}`, value);
    if (notifications.length === 0) showOne(sequence, `${body.byteLength} bytes`, textOf(body));
    for (const [index, notification] of notifications.entries()) {
      // Those of a batch are consecutive.
      const number = index === 0 ? sequence : Number(sequence) + index;
      showOne(number, `${notification.messageId}  ${describe(notification)}`, notification);
    }
    return send(response, answer);
  });
  return app;
}

function ownAnswer({ acceptable, verdict }: Inspected): ForwardedAnswer {
  return acceptable
    ? { status: 204, headers: {}, body: Buffer.alloc(0) }
    : failure(400, `${verdict.replace(/\.$/, "")}.`);
}

async function passOn(to: string, rawHeaders: readonly string[], body: Uint8Array) {
  try {
    return { answer: await forward(to, rawHeaders, body), reported: `${to} answered` };
  } catch (error) {
    const why = whyNoAnswer(error);
    return {
      answer: failure(502, `${to} did not answer: ${why}.`),
      reported: `${to} did not answer, ${why}; told the sender`,
    };
  }
}

function failure(
  status: 400 | 403 | 405 | 413 | 502,
  message: string,
  headers: Record<string, string> = {},
): ForwardedAnswer {
  const body = Buffer.from(JSON.stringify(errorBody(new HttpError(status, message))));
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}

function send(response: Response, { status, headers, body }: ForwardedAnswer): void {
  response.writeHead(status, headers).end(body);
}

function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}
