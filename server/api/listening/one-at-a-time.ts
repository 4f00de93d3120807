/**
 * Takes the requests of a connection one after the other. Node hands out all requests that a client pipelines at the same time, though
 * their answers must go out in order. One connection could cause any amount of work, and hold all of it in memory by not reading. Here a
 * request begins when the answer before it has been sent. A waiting request costs its few bytes and no work.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A connection with this many waiting requests is not read any further. */
const maxWaiting = 16;

type Line = { current: ServerResponse | undefined; waiting: [IncomingMessage, ServerResponse][] };

const lines = new WeakMap<Duplex, Line>();

/** The response to the request that a connection is sending, or waits for. */
export function currentOn(socket: Duplex): ServerResponse | undefined {
  return lines.get(socket)?.current;
}

/** Calls `answer` with the requests of each connection in turn. */
export function oneAtATime(answer: RequestListener): RequestListener {
  const begin = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.current = response;
    response.once("close", () => next(line, request.socket));
    answer(request, response);
  };
  const next = (line: Line, socket: Socket): void => {
    line.current = undefined;
    // Nobody reads these answers any more.
    if (socket.destroyed) line.waiting = [];
    const [first, ...waiting] = line.waiting;
    line.waiting = waiting;
    if (!first) return;
    if (waiting.length < maxWaiting) socket.resume();
    begin(line, ...first);
  };
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { current: undefined, waiting: [] };
    lines.set(socket, line);
    if (!line.current) return begin(line, request, response);
    line.waiting.push([request, response]);
    if (line.waiting.length >= maxWaiting) socket.pause();
  };
}
