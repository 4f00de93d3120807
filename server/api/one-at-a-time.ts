/**
 * Takes the requests of a connection one after the other. Node hands out all that a client sends ahead (pipelining) at the same time, though
 * their answers can only go out in order: one connection could have any amount of work done, and keep it all by not reading. Here a
 * request begins when the answer before it has been sent, so what waits costs its few bytes and no work.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** With so many requests waiting, a connection is not read any further. */
const mostWaiting = 16;

type Line = { current: ServerResponse | undefined; waiting: [IncomingMessage, ServerResponse][] };

const lines = new WeakMap<Duplex, Line>();

/** The response that a connection is about, while its request is being read or answered. */
export function currentOn(socket: Duplex): ServerResponse | undefined {
  return lines.get(socket)?.current;
}

/** @returns what gives `answer` the requests of each connection in turn */
export function oneAtATime(answer: RequestListener): RequestListener {
  const begin = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.current = response;
    response.once("close", () => next(line, request.socket));
    answer(request, response);
  };
  const next = (line: Line, socket: Socket): void => {
    line.current = undefined;
    // Nobody reads the answers any more, so nothing is begun for them.
    if (socket.destroyed) line.waiting = [];
    const [first, ...waiting] = line.waiting;
    line.waiting = waiting;
    if (!first) return;
    if (waiting.length < mostWaiting) socket.resume();
    begin(line, ...first);
  };
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { current: undefined, waiting: [] };
    lines.set(socket, line);
    if (!line.current) return begin(line, request, response);
    line.waiting.push([request, response]);
    if (line.waiting.length >= mostWaiting) socket.pause();
  };
}
