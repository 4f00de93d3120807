/**
 * What endpoints send instead of a well-formed response. The outcome is a status or an error class that says what came, it comes soon, and
 * the next request is answered by its own response. `RESPONSES_SEED=N` and `RESPONSES_CASES=N` make other random faults, and more.
 */
import dns from "node:dns";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import tls, { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDialer, type Dialer } from "../../server/delivery/send/dialer.ts";
import { beginExchange, type Outcome } from "../../server/delivery/send/exchange.ts";
import { ResponseReader } from "../../server/delivery/send/response-reader.ts";
import { eventually } from "../support/eventually.ts";
import { seeded } from "../support/seeded.ts";
import { selfSigned } from "../support/self-signed.ts";

/** How an endpoint behaves: called for each request, and for each connection before one. */
type Behaviour = { onRequest?: (socket: Socket, nth: number) => unknown; onConnection?: (socket: Socket) => unknown };

const patienceMs = 60_000;
const ok = "HTTP/1.1 204 No Content\r\n\r\n";
const marked = (mark: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${mark.length}\r\n\r\n${mark}`;

let dialer: Dialer;
let closing: (() => void)[];
beforeEach(() => {
  closing = [];
  dialer = createDialer({ allowPrivateTargets: true });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await dialer.destroy();
  for (const close of closing) close();
});

/** A server of bytes. It counts connections, and requests on all of them. */
async function serve({ onRequest, onConnection }: Behaviour, secure?: TlsOptions) {
  const sockets = new Set<Socket>();
  const seen = { connections: 0, requests: 0, heads: [] as string[], read: 0 };
  const accept = (socket: Socket) => {
    seen.connections += 1;
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
    let text = "";
    socket.on("data", (bytes) => {
      seen.read += bytes.length;
      text += bytes.toString("latin1");
      for (let end = requestEnd(text); end > 0; end = requestEnd(text)) {
        seen.heads.push(text.slice(0, end));
        text = text.slice(end);
        seen.requests += 1;
        onRequest?.(socket, seen.requests);
      }
    });
    onConnection?.(socket);
  };
  const server: Server = secure ? createTlsServer(secure, accept).on("tlsClientError", () => {}) : createServer(accept);
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, sockets, seen };
}

/** Where the first request in a text ends; 0 if it has not arrived. */
function requestEnd(text: string): number {
  const head = text.indexOf("\r\n\r\n");
  const length = Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0);
  return head >= 0 && text.length >= head + 4 + length ? head + 4 + length : 0;
}

function post(origin: string, { body = "{}", timeoutMs = patienceMs } = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    beginExchange(dialer, { origin, path: "/" }, { headers: [], body: Buffer.from(body) }, timeoutMs, (outcome) =>
      outcome ? resolve(outcome) : reject(new Error("the exchange was aborted")),
    );
  });
}

const writing = (text: string) => (socket: Socket) => void socket.write(Buffer.from(text, "latin1"));
const http = ({ port }: { port: number }) => `http://127.0.0.1:${port}`;

/** Responses, and the status that they have. The connection stays open after each. */
const sloppy: Record<string, [text: string, status: number]> = {
  "an unasked 100": [`HTTP/1.1 100 Continue\r\n\r\n${ok}`, 204],
  "several interim responses": [
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\nx: y\r\n\r\nHTTP/1.1 103 Early\r\n\r\n${ok}`,
    204,
  ],
  "LF alone": ["HTTP/1.1 200 OK\ncontent-length: 0\n\n", 200],
  "LF alone, an error": ["HTTP/1.1 503 Busy\nretry-after: 7\ncontent-length: 4\n\nbusy", 503],
  "a control character in a header": ["HTTP/1.1 200 OK\r\nset-cookie: a=\x01b\r\ncontent-length: 0\r\n\r\n", 200],
  "a NUL in a header": ["HTTP/1.1 200 OK\r\nset-cookie: a=\0b\r\ncontent-length: 0\r\n\r\n", 200],
  "a folded header": ["HTTP/1.1 200 OK\r\nx-long: a\r\n b\r\ncontent-length: 0\r\n\r\n", 200],
  "a space before the colon": ["HTTP/1.1 200 OK\r\nServer : x\r\ncontent-length: 0\r\n\r\n", 200],
  "a header without a colon": ["HTTP/1.1 200 OK\r\nnonsense\r\ncontent-length: 0\r\n\r\n", 200],
  "both lengths": [
    "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    200,
  ],
  "two different lengths": ["HTTP/1.1 201 Created\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok", 201],
  "the same length twice": ["HTTP/1.1 201 Created\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok", 201],
  "a length that is no number": ["HTTP/1.1 200 OK\r\ncontent-length: 0x2\r\n\r\nok", 200],
  "a negative length": ["HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nok", 200],
  "headers of 20 KB": [`HTTP/1.1 200 OK\r\n${`x-filler: ${"x".repeat(990)}\r\n`.repeat(20)}\r\n`, 200],
  "one header of 20 KB": [`HTTP/1.1 500 Oops\r\nx: ${"x".repeat(20_000)}\r\n\r\n`, 500],
  "no reason": ["HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n", 200],
  "an empty line first": ["\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", 200],
  "another version": ["HTTP/2 200\r\ncontent-length: 0\r\n\r\n", 200],
  "a 204 with a length": ["HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n", 204],
  "a chunk that is none": ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", 200],
  "a chunk longer than it says": ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nlong\r\n0\r\n\r\n", 200],
  "a switch of protocols": ["HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\n\r\n", 101],
  "a redirect with both lengths": [
    "HTTP/1.1 302 Found\r\ncontent-length: 0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    302,
  ],
};

/** What is no HTTP, and what it counts as. */
const foreign: Record<string, [text: string, errorClass: string]> = {
  "an SSH greeting": ["SSH-2.0-OpenSSH_9.9\r\n", "invalid_response"],
  "a mail server's greeting": ["220 mail.example.com ESMTP\r\n", "invalid_response"],
  "HTTP/2 settings": ["\0\0\x12\x04\0\0\0\0\0", "invalid_response"],
  "a page without a status": ["<html>hello</html>", "invalid_response"],
  "a status with letters": ["HTTP/1.1 2OO OK\r\n\r\n", "invalid_response"],
  "a status of four digits": ["HTTP/1.1 2000 OK\r\n\r\n", "invalid_response"],
  "a status below 100": ["HTTP/1.1 099 No\r\n\r\n", "invalid_response"],
  "noise without a line end": ["\xfe\xfd\xfc", "invalid_response"],
  "a TLS alert": ["\x15\x03\x01\0\x02\x02\x46", "tls_error"],
  "a TLS handshake": ["\x16\x03\x03\0\x31", "tls_error"],
};

test.each(Object.entries(sloppy))("%s: the status line decides", async (_, [text, status]) => {
  const endpoint = await serve({ onRequest: (socket, nth) => writing(nth === 1 ? text : marked("mine"))(socket) });
  const { errorClass, ...outcome } = await post(http(endpoint));
  expect(outcome.status).toBe(status);
  expect(errorClass).toBe(status >= 200 && status < 300 ? undefined : "bad_status");
  if (status === 503) expect(outcome).toMatchObject({ retryAfter: "7", body: "busy" });
  expect(await post(http(endpoint))).toMatchObject({ status: 200, body: "mine" });
});

test.each(Object.entries(foreign))("%s is no response, and is said to be none", async (_, [text, errorClass]) => {
  const endpoint = await serve({ onRequest: (socket, nth) => writing(nth === 1 ? text : marked("mine"))(socket) });
  const outcome = await post(http(endpoint));
  expect(outcome).toMatchObject({ errorClass });
  expect(outcome.status).toBeUndefined();
  if (errorClass === "invalid_response")
    expect(outcome.body).toBe(Buffer.from(text, "latin1").toString().replaceAll("\0", "\uFFFD"));
  expect(await post(http(endpoint))).toMatchObject({ status: 200, body: "mine" });
});

test("a greeting that comes before the request, and a connection that breaks within a status line, have their classes", async () => {
  const greeting = await serve({ onConnection: writing("SSH-2.0-OpenSSH_9.9\r\n") });
  expect(await post(http(greeting))).toMatchObject({ errorClass: "invalid_response", body: "SSH-2.0-OpenSSH_9.9\r\n" });
  const broken = await serve({ onRequest: (socket) => socket.end("HTTP/1.1 2") });
  expect(await post(http(broken))).toMatchObject({ errorClass: "connection_reset" });
  const unfinished = await serve({ onRequest: (socket) => socket.end("HTTP/1.1 200 OK") });
  expect(await post(http(unfinished))).toMatchObject({ status: 200 });
});

/** A response that never ends, and the status that it has begun with. */
const endless: Record<string, [begin: string, more: string, status: number | undefined]> = {
  "interim responses": ["", "HTTP/1.1 100 Continue\r\n\r\n", undefined],
  headers: ["HTTP/1.1 200 OK\r\n", "x-filler: 0123456789\r\n", 200],
  "one header": ["HTTP/1.1 500 Oops\r\nx: ", "0123456789", 500],
  "a reason": ["HTTP/1.1 200 ", "very ", 200],
  "a line that is no status": ["HTTP/", "1", undefined],
  "empty lines": ["", "\r\n", undefined],
  "a chunk's extension": ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;", "x=y;", 200],
  "chunks' extensions": [
    "HTTP/1.1 404 No\r\ntransfer-encoding: chunked\r\n\r\n",
    "1;extension=0123456789\r\nx\r\n",
    404,
  ],
  trailers: ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n", "x-filler: 0123456789\r\n", 200],
  "a body": ["HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n", "0123456789", 200],
};

test.each(Object.entries(endless))("of endless %s 16 KiB are read", async (_, [begin, more, status]) => {
  const piece = more.repeat(Math.ceil(1_024 / more.length));
  const write = (socket: Socket) => {
    let length = 0;
    socket.write(begin);
    // Little by little, as a connection's buffers take much more than is read.
    const timer = setInterval(() => {
      socket.write(piece);
      length += piece.length;
    }, 1);
    socket.once("close", () => {
      clearInterval(timer);
      closed.push(length);
    });
  };
  const closed: number[] = [];
  const endpoint = await serve({
    onRequest: (socket, nth) => (nth === 1 ? write(socket) : writing(marked("mine"))(socket)),
  });
  const outcome = await post(http(endpoint));
  expect(outcome.status).toBe(status);
  expect(outcome.errorClass).toBe(
    status === undefined ? "invalid_response" : status === 200 ? undefined : "bad_status",
  );
  // Neither before nor long after; the rest is on its way when the connection closes.
  await eventually(() => expect(closed).toHaveLength(1));
  expect(closed[0]).toBeGreaterThanOrEqual(15 * 1_024);
  expect(await post(http(endpoint))).toMatchObject({ status: 200, body: "mine" });
});

test("a connection is used again after a well-formed response, and after no other", async () => {
  const kept = [
    ...[ok, marked("taken"), "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", `HTTP/1.1 103 Early\r\n\r\n${ok}`],
    "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\ntaken\r\n0\r\nx: y\r\n\r\n",
  ];
  const dropped = [
    ...Object.values(sloppy).flatMap(([text]) => (/^HTTP\/1.1 (100|200\r)/.test(text) ? [] : [text])),
    ...["HTTP/1.0 204 No Content\r\n\r\n", "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n", `${ok}more`],
    `${ok}${marked("for the next")}`,
  ];
  for (const text of [...kept, ...dropped]) {
    const endpoint = await serve({ onRequest: writing(text) });
    for (let n = 0; n < 3; n += 1) await post(http(endpoint));
    expect([endpoint.seen.requests, endpoint.seen.connections], text.slice(0, 80)).toEqual([
      3,
      kept.includes(text) ? 1 : 3,
    ]);
  }
});

test("bytes or an end that come between two requests close the connection, and the next request goes over another", async () => {
  for (const late of [(socket: Socket) => socket.write(marked("late")), (socket: Socket) => socket.end()]) {
    const endpoint = await serve({ onRequest: (socket, nth) => writing(marked(`${nth}`))(socket) });
    expect(await post(http(endpoint))).toMatchObject({ body: "1" });
    const [first] = endpoint.sockets;
    if (!first) throw new Error("the connection was not kept");
    late(first);
    // With the very next request, and when it has been seen.
    await eventually(() => expect(first.readableEnded || first.destroyed).toBe(true));
    expect(await post(http(endpoint))).toMatchObject({ body: "2" });
    expect(endpoint.seen.connections).toBe(2);
  }
  const ended = await serve({ onRequest: (socket, nth) => writing(marked(`${nth}`))(socket) });
  expect(await post(http(ended))).toMatchObject({ body: "1" });
  for (const socket of ended.sockets) socket.destroy();
  // The end is on its way, and read before the request would be written.
  await new Promise((resolve) => setImmediate(resolve));
  expect(await post(http(ended))).toMatchObject({ body: "2" });
});

test("a server that says for how long it keeps a connection is not asked over it afterwards", async () => {
  const endpoint = await serve({
    onRequest: writing("HTTP/1.1 204 No Content\r\nkeep-alive: timeout=1\r\n\r\n"),
  });
  await post(http(endpoint));
  await post(http(endpoint));
  expect(endpoint.seen.connections).toBe(2);
});

test("an answer that comes before the whole request was read counts, and ends the connection", async () => {
  const endpoint = await serve({
    onConnection(socket) {
      socket.pause();
      if (endpoint.seen.connections === 1) socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n");
      else socket.resume();
    },
    onRequest: writing(marked("mine")),
  });
  expect(await post(http(endpoint), { body: "x".repeat(30_000_000) })).toMatchObject({ status: 413 });
  expect(await post(http(endpoint))).toMatchObject({ status: 200, body: "mine" });
});

test("a body of many pieces arrives as it was sent", async () => {
  const endpoint = await serve({ onRequest: writing(ok) });
  expect(await post(http(endpoint), { body: "x".repeat(3_000_001) })).toMatchObject({ status: 204 });
  expect(await post(http(endpoint), { body: "y".repeat(1_000_001) })).toMatchObject({ status: 204 });
  const [first = "", second = ""] = endpoint.seen.heads;
  expect(endpoint.seen.connections).toBe(1);
  expect(/\r\n\r\nx{3000001}$/.test(first) && /\r\n\r\ny{1000001}$/.test(second)).toBe(true);
});

const { createSecureContext } = tls;
/** Lets this process trust the tests' certificate. */
function trustSelfSigned(): void {
  vi.spyOn(tls, "createSecureContext").mockImplementation((options) =>
    createSecureContext({ ...options, ca: selfSigned.cert }),
  );
}

test("TLS connections are kept and used again", async () => {
  trustSelfSigned();
  const endpoint = await serve({ onRequest: writing(ok) }, selfSigned);
  const origin = `https://127.0.0.1:${endpoint.port}`;
  for (let n = 0; n < 3; n += 1) expect(await post(origin)).toMatchObject({ status: 204 });
  expect(await post(origin, { body: "x".repeat(3_000_001) })).toMatchObject({ status: 204 });
  expect(endpoint.seen).toMatchObject({ connections: 1, requests: 4 });
});

test.each([
  ["TLSv1.2", 2],
  ["TLSv1.2", 5_000_000],
  ["TLSv1.3", 2],
  ["TLSv1.3", 5_000_000],
] as const)("an endpoint that wants a client certificate is a TLS error (%s, %d bytes)", async (version, length) => {
  trustSelfSigned();
  const wants = { requestCert: true, rejectUnauthorized: true, minVersion: version, maxVersion: version };
  const endpoint = await serve({}, { ...selfSigned, ...wants });
  const outcome = await post(`https://127.0.0.1:${endpoint.port}`, { body: "x".repeat(length) });
  expect(outcome).toMatchObject({ errorClass: "tls_error" });
});

test("a port of which only one side speaks TLS is a TLS error", async () => {
  const plain = await serve({ onConnection: (socket) => socket.once("data", () => writing(ok)(socket)) });
  expect(await post(`https://127.0.0.1:${plain.port}`)).toMatchObject({ errorClass: "tls_error" });
  for (const length of [2, 5_000_000]) {
    const encrypted = await serve({ onRequest: writing(ok) }, selfSigned);
    expect(await post(http(encrypted), { body: "x".repeat(length) }), `${length}`).toMatchObject({
      errorClass: "tls_error",
    });
  }
});

test("a plain server that closes without a word is a broken connection, soon, also if it never says what it speaks", async () => {
  const closing = await serve({ onRequest: (socket) => socket.destroy() });
  expect(await post(http(closing))).toMatchObject({ errorClass: "connection_reset" });
  const silent = await serve({
    onConnection: (socket) => silent.seen.connections === 1 && socket.once("data", () => socket.destroy()),
  });
  const outcome = await post(http(silent));
  expect(outcome).toMatchObject({ errorClass: "connection_reset" });
  expect(outcome.durationMs).toBeLessThan(patienceMs / 2);
});

test("neither SNI nor the header has a host's final dot", async () => {
  trustSelfSigned();
  const asked: string[] = [];
  const SNICallback = (name: string, done: (error: null) => void) => {
    asked.push(name);
    done(null);
  };
  const endpoint = await serve({ onRequest: writing(ok) }, { ...selfSigned, SNICallback });
  vi.spyOn(dns, "lookup").mockImplementation(((name: string, _: object, done: (...found: unknown[]) => void) => {
    looked.push(name);
    done(null, [{ address: "127.0.0.1", family: 4 }]);
  }) as unknown as typeof dns.lookup);
  const looked: string[] = [];
  expect(await post(`https://localhost.:${endpoint.port}`)).toMatchObject({ status: 204 });
  expect([asked, looked]).toEqual([["localhost"], ["localhost."]]);
  expect(endpoint.seen.heads[0]).toContain(`host: localhost:${endpoint.port}\r\n`);
});

const seed = Number(process.env.RESPONSES_SEED ?? 1);
const cases = Number(process.env.RESPONSES_CASES ?? 100);

/** A response with a few random faults after its status line, in random pieces. */
function faulty(random: (below: number) => number): { status: number; pieces: Buffer[]; ends: boolean } {
  const pick = <T>(all: readonly T[]) => all[random(all.length)] as T;
  const status = pick([200, 201, 204, 299, 301, 304, 400, 404, 410, 500, 503]);
  const line = `HTTP/1.1 ${status} ${pick(["OK", "", "\x7f?", "a b"])}`;
  const header = () =>
    pick([
      "x: y",
      "content-length: 5",
      "content-length: 07",
      "transfer-encoding: chunked",
      "connection: close",
      "keep-alive: timeout=5",
      "retry-after: 3",
      ": none",
      "content-length:",
      "transfer-encoding: gzip, chunked",
      "a\0b: c",
    ]);
  const body = () =>
    pick(["", "hello", "5\r\nhello\r\n0\r\n\r\n", "5;x\nhello\n0\n\n", "HTTP/1.1 200 OK\r\n\r\n", "0\r\nx: y\r\n\r\n"]);
  const end = pick(["\r\n", "\r\n", "\r\n", "\n"]);
  const rest = [...Array.from({ length: random(5) }, header), "", body() + body()].join(end);
  const bytes = Buffer.from(line + end + rest, "latin1");
  const from = line.length + end.length;
  for (let n = random(4); n > 0 && bytes.length > from; n -= 1) bytes[from + random(bytes.length - from)] = random(256);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const next = at + 1 + random(pick([2, 20, 200]));
    pieces.push(bytes.subarray(at, next));
    at = next;
  }
  return { status, pieces, ends: random(2) === 0 };
}

test(`random faults after ${cases} status lines change no outcome, and no next response (RESPONSES_SEED=${seed})`, async () => {
  const random = seeded(seed);
  const answers = Array.from({ length: cases }, () => faulty(random));
  let next = 0;
  const endpoint = await serve({
    async onRequest(socket, nth) {
      if (nth % 2 === 0) return writing(marked(`request ${nth}`))(socket);
      const answer = answers[next];
      next += 1;
      for (const piece of answer?.pieces ?? []) {
        socket.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (answer?.ends) socket.end();
    },
  });
  for (const { status, pieces, ends } of answers) {
    const text = JSON.stringify(Buffer.concat(pieces).toString("latin1"));
    const outcome = await post(http(endpoint), { timeoutMs: 100 });
    expect(outcome.status, text).toBe(status);
    if (status < 300) expect(outcome.errorClass, text).toBeUndefined();
    else expect(["bad_status", ends ? "connection_reset" : "timeout"], text).toContain(outcome.errorClass);
    const { body } = await post(http(endpoint));
    expect(body, text).toBe(`request ${endpoint.seen.requests}`);
  }
});

test(`${10 * cases} responses of random bytes are read the same however they are cut (RESPONSES_SEED=${seed})`, () => {
  const random = seeded(seed + 1);
  const words = [
    "HTTP/1.1 ",
    "200",
    "100",
    "204",
    "500",
    " ",
    "OK",
    "\r\n",
    "\n",
    "content-length: 3",
    "transfer-encoding: chunked",
    ":",
    "abc",
    "3",
    "0",
    "\r\n\r\n",
    "\0",
    "\x15\x03",
    "\r",
    ";x",
    "retry-after: 1",
    "x".repeat(9_000),
  ];
  for (let n = 0; n < 10 * cases; n += 1) {
    const start = random(4) === 0 ? "" : "HTTP/1.1 200 OK\r\n";
    const text = start + Array.from({ length: random(24) }, () => words[random(words.length)]).join("");
    const bytes = Buffer.from(text, "latin1");
    const whole = new ResponseReader();
    whole.read(bytes);
    const cut = new ResponseReader();
    for (let at = 0; at < bytes.length && !cut.end; ) {
      const piece = bytes.subarray(at, at + 1 + random(4));
      cut.read(piece);
      at += piece.length;
    }
    const seen = ({ end, status, retryAfter }: ResponseReader) => ({ end, status, retryAfter });
    expect(seen(cut), JSON.stringify(text)).toEqual(seen(whole));
    if (whole.isReusable) expect(cut.isReusable, JSON.stringify(text)).toBe(true);
  }
});
