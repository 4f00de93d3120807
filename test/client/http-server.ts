/** A real HTTP server for one test, which answers by a script and keeps what it was sent. */
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as it arrived. */
export type Received = {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
};

/** Answers one request. */
export type Reply = (response: ServerResponse, request: Received) => void;

/** Starts a server that is stopped when the test ends. @returns its base address. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server that gives one reply after the other, and the last one again. */
export async function serve(...replies: [Reply, ...Reply[]]): Promise<{ baseUrl: string; received: Received[] }> {
  const received: Received[] = [];
  const baseUrl = await listen(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { method, url, headers } = request;
    const reply = replies[Math.min(received.length, replies.length - 1)] ?? replies[0];
    received.push({ method, url, headers, body });
    reply(response, { method, url, headers, body });
  });
  return { baseUrl, received };
}

/** Replies with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Replies with a text as it is. */
export function text(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return (response) => response.writeHead(status, { "content-type": "text/html", ...headers }).end(body);
}

/** Replies with an error of the contract's shape. */
export function apiError(status: number, headers: Record<string, string> = {}): Reply {
  return json(status, { message: `What was wrong with ${status}.`, statusCode: status, error: "Reason" }, headers);
}

/** Hangs up without an answer. */
export const hangUp: Reply = (response) => void response.destroy();

/** Never answers. */
export const silence: Reply = () => {};
