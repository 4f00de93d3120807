/** The mock, over real HTTP, within the test's own process: as it is in Node, and as a page has it. */
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { pino } from "pino";
import { createStatelessMock } from "../../scripts/command/mock/app.ts";
import { type MswOptions, mswMock } from "../../scripts/command/mock/page/msw.ts";
import { type Mock as Started, type StartMockOptions, startMock as start } from "../../scripts/command/mock/start.ts";
import { listen } from "../../server/api/listening/listen.ts";
import { type Call, type Reply, send } from "./api.ts";

/** A running mock that remembers nothing. */
export type StatelessMock = {
  url: string;
  /** Every line that it would print. */
  said: string[];
  /** Sends a request with some key, unless `key` says otherwise; `key: ""` sends none. */
  call(method: string, path: string, call?: Call): Promise<Reply>;
  close(): Promise<void>;
};

/** A running mock. */
export type Mock = StatelessMock & Pick<Started, "control" | "webhooks">;

const callTo =
  (url: string): StatelessMock["call"] =>
  (method, path, call = {}) =>
    send(url + path, method, { key: "any", ...call });

/** Starts it on a free port. */
export async function startMock(options: StartMockOptions = {}): Promise<Mock> {
  const said: string[] = [];
  const { stop, ...mock } = await start({ onLine: (line) => void said.push(line), ...options });
  return { ...mock, said, call: callTo(mock.url), close: stop };
}

/** Starts one that remembers nothing. */
export async function startStatelessMock(): Promise<StatelessMock> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const { app, close } = await createStatelessMock({ say, log: pino({ level: "error" }, { write: say }) });
  const { url, close: endListening } = await listen(app, { port: 0 });
  return {
    url,
    said,
    call: callTo(url),
    async close() {
      await endListening();
      await close();
    },
  };
}

/** Stands in for Mock Service Worker's `http`. */
export const http = {
  all: (path: RegExp, resolver: (info: { request: Request }) => Promise<Response>) => ({ path, resolver }),
};

/** Starts the mock that a page has. A server in front of it only passes requests on. By default it sends by `fetch`. */
export async function startPageMock(options: Omit<MswOptions, "baseUrl"> = {}): Promise<Mock> {
  const said: string[] = [];
  const baseUrl = "https://api.example.com/base";
  const sending = { deliver: (request: Request) => fetch(request), onLine: (line: string) => void said.push(line) };
  const { handlers, stop, ...mock } = mswMock({ http }, { ...sending, ...options, baseUrl });
  const server = await listeningBefore(async (request) => {
    const found = handlers.find(({ path }) => path.test(request.url));
    return (await found?.resolver({ request })) ?? new Response(null, { status: 599 });
  }, baseUrl);
  return {
    ...{ ...mock, said, url: server.url, call: callTo(server.url) },
    async close() {
      await stop();
      await server.close();
    },
  };
}

/** The mocks that the suites run against: they must not differ. A test of the installed package puts its own in their place. */
export const mocks: [string, (options?: Pick<StartMockOptions, "retryPauseMs">) => Promise<Mock>][] = [
  ["the mock", startMock],
  ["the mock in a page", startPageMock],
];

/** A server that passes requests on to a function, as requests to `base`. */
export async function listeningBefore(answer: (request: Request) => Promise<Response>, base: string) {
  const server = createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    const answered = await answer(await requestOf(incoming, base, gone.signal)).catch(() => Response.error());
    // What a browser shows as a failed fetch.
    if (answered.type === "error") return void outgoing.socket?.resetAndDestroy();
    outgoing.writeHead(answered.status, { ...Object.fromEntries(answered.headers), connection: "close" });
    outgoing.end(Buffer.from(await answered.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

async function requestOf(incoming: IncomingMessage, base: string, signal: AbortSignal): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const bytes = await buffer(incoming);
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    ofTheConnection.has(name) ? [] : [[name, String(value)]],
  );
  const body = bytes.length === 0 || method === "GET" || method === "HEAD" ? null : new Uint8Array(bytes);
  return new Request(base + url, { method, headers: sent, body, signal });
}

const ofTheConnection = new Set(["connection", "content-length", "host", "keep-alive", "transfer-encoding", "expect"]);
