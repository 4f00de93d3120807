/** `npm run cli listen`: shows what arrives, says whether it verifies, and passes it on unchanged. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { run } from "../../scripts/command/commands/listen.ts";
import { run as trigger } from "../../scripts/command/commands/trigger.ts";
import { createListener, type ListenerOptions } from "../../scripts/command/notifications/listener.ts";
import { type Listening, listen } from "../../server/api/listening/listen.ts";
import { notification } from "../client/examples.ts";
import { type Running, runHere, startChainWebhooks } from "../support/command.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function startListener(options: Partial<ListenerOptions>): Promise<Listening & { lines: string[] }> {
  const lines: string[] = [];
  const show = (line: string) => void lines.push(line);
  const app = createListener({ secret: undefined, forwardTo: undefined, show, ...options });
  const server = await listen(app, { port: 0 });
  ends.push(server.close);
  return { ...server, lines };
}

async function startTarget(): Promise<Receiver> {
  const target = await startReceiver();
  ends.push(target.close);
  return target;
}

const send = (to: string, ...more: string[]) => runHere(trigger, ["non-fungible-transfer", "--to", to, ...more]);
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

test("a notification is one line that says what happened, that it verifies, and what was answered", async () => {
  const { url, lines } = await startListener({ secret });
  expect((await send(`${url}/any/path`)).code).toBe(0);
  const { messageId, event } = notification;
  expect(lines).toEqual([
    `#1  ${messageId}  chain 1 block ${event.transaction.blockNumber} tx ${event.transaction.txHash}  ` +
      `${event.transaction.from} -> ${event.transaction.to}  4 logs  verified  answered 204`,
  ]);
});

test.each([
  ["native-transfer", /value 1 {2}/],
  ["contract-creation", / created 0x/],
  ["failed-transaction", /FAILED/],
  ["internal-transactions", /\d+ internal transactions/],
  ["retraction", /RETRACTED/],
])("the line of %s says so", async (scenario, words) => {
  const { url, lines } = await startListener({ secret });
  await runHere(trigger, [scenario, "--to", url]);
  expect(lines[0]).toMatch(words);
});

/** A terminal with colours. */
const terminal = { isTTY: true, hasColors: () => true, write: () => undefined };

test("on a terminal what verifies is green, what nobody verifies yellow, and what does not red; a sender has no say in it", async () => {
  const [knows, trusts] = [await startListener({ secret, terminal }), await startListener({ terminal })];
  await send(knows.url);
  await send(knows.url, "--secret", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD");
  await send(trusts.url);
  await post(trusts.url, "{}", { "webhook-sequence": "\u009b31m" });
  expect(knows.lines[0]).toContain("\u001b[32mverified\u001b[39m  \u001b[32manswered 204\u001b[39m");
  expect(knows.lines[1]).toMatch(/\[31mNOT VERIFIED: .*\[31manswered 400/);
  expect(trusts.lines[0]).toContain("\u001b[33mNOT VERIFIED");
  expect(trusts.lines[1]).toMatch(/^#\?31m {2}/);
});

test("a signature by another secret is NOT VERIFIED, and refused", async () => {
  const { url, lines } = await startListener({ secret });
  const { code, stdout } = await send(url, "--secret", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD");
  expect(code).toBe(1);
  expect(stdout).toContain("400 Bad Request");
  expect(lines[0]).toMatch(/4 logs {2}NOT VERIFIED: No signature of the notification is by .* answered 400$/);
});

test("without a secret it reports that nothing is verified, and accepts", async () => {
  const { url, lines } = await startListener({});
  expect((await send(url)).code).toBe(0);
  expect(lines[0]).toContain("NOT VERIFIED, since there is no --secret  answered 204");
});

test("a request that is no notification is reported and refused", async () => {
  const { url, lines } = await startListener({});
  const reply = await post(url, '{"hello":1}');
  expect(reply.status).toBe(400);
  expect(await reply.json()).toEqual({ message: "NOT A NOTIFICATION.", statusCode: 400, error: "Bad Request" });
  expect(lines[0]).toBe("#?  11 bytes  NOT A NOTIFICATION  answered 400");
});

test("another method than POST is a 405, and a body that is too large a 413", async () => {
  const { url, lines } = await startListener({});
  const reply = await fetch(url);
  expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
  expect((await post(url, "x".repeat(16 * 1024 * 1024 + 1)).catch(() => ({ status: 413 }))).status).toBe(413);
  expect(lines).toEqual([]);
});

test("a request is forwarded byte by byte with its headers, to the exact URL", async () => {
  const target = await startTarget();
  const { url } = await startListener({ forwardTo: `${target.url}/hooks?from=listen` });
  const body = `  ${JSON.stringify(notification)}\n`;
  await post(`${url}/elsewhere`, body, { "webhook-id": "a", "x-custom": "kept", "webhook-sequence": "7" });
  const [delivered] = await target.waitFor(1);
  expect(delivered).toMatchObject({ path: "/hooks?from=listen", rawBody: body });
  expect(delivered?.headers).toMatchObject({
    "content-type": "application/json",
    "webhook-id": "a",
    "webhook-sequence": "7",
    "x-custom": "kept",
    host: new URL(target.url).host,
  });
});

test("a forwarded notification still verifies", async () => {
  const target = await startTarget();
  const second = await startListener({ secret });
  const first = await startListener({ secret, forwardTo: second.url });
  expect((await send(first.url)).code).toBe(0);
  expect(second.lines[0]).toContain("verified  answered 204");
  expect(first.lines[0]).toMatch(/verified {2}http:\S+ answered 204 in \d+ ms$/);
  expect(target.deliveries).toEqual([]);
});

test("the sender gets the target's answer: status, headers and body", async () => {
  const target = await startTarget();
  target.answer = (_, response) => response.writeHead(503, { "retry-after": "7", "x-own": "1" }).end("later");
  const { url } = await startListener({ forwardTo: target.url });
  const reply = await post(url, JSON.stringify(notification));
  expect([reply.status, reply.headers.get("retry-after"), reply.headers.get("x-own")]).toEqual([503, "7", "1"]);
  expect(await reply.text()).toBe("later");
});

test("a redirect of the target is not followed but passed back", async () => {
  const target = await startTarget();
  target.answer = (_, response) => response.writeHead(302, { location: "/other" }).end();
  const { url } = await startListener({ forwardTo: target.url });
  const reply = await fetch(url, { method: "POST", body: JSON.stringify(notification), redirect: "manual" });
  expect([reply.status, reply.headers.get("location")]).toEqual([302, "/other"]);
  expect(target.deliveries).toHaveLength(1);
});

test("an unavailable target is a 502, so that the sender retries", async () => {
  const { url, lines } = await startListener({ forwardTo: "http://127.0.0.1:1/" });
  const reply = await post(url, JSON.stringify(notification));
  expect(reply.status).toBe(502);
  expect(await reply.json()).toEqual({
    message: "http://127.0.0.1:1/ did not answer: nothing listens there (ECONNREFUSED).",
    statusCode: 502,
    error: "Bad Gateway",
  });
  expect(lines[0]).toMatch(/did not answer, nothing listens there \(ECONNREFUSED\); told the sender 502 in \d+ ms$/);

  const rude = createServer((request: IncomingMessage) => void request.socket.destroy()).listen(0, "127.0.0.1");
  await once(rude, "listening");
  ends.push(async () => rude.close());
  const second = await startListener({ forwardTo: `http://127.0.0.1:${(rude.address() as AddressInfo).port}/` });
  expect((await post(second.url, JSON.stringify(notification))).status).toBe(502);
});

test("as a command it prints lines, cannot be made to write to the terminal, and ends with exit code 0", async () => {
  const command: Running = await startChainWebhooks("listen", ["--port", "0", "--secret", secret]);
  await send(command.url);
  await post(command.url, "x", { "webhook-sequence": "\u009b31m" });
  await expect
    .poll(command.stdout)
    .toMatch(/#1 .* verified {2}answered 204\n.*#\?31m {2}1 bytes {2}NOT VERIFIED: .*\n$/);
  expect(await command.end("SIGINT")).toBe(0);
  expect(command.stderr()).toBe("");
});

test("--json prints whole payloads, one a line, and nothing else, on the standard output", async () => {
  const command: Running = await startChainWebhooks("listen", ["--port", "0", "--json"]);
  await send(command.url);
  await send(command.url);
  expect(command.stderr()).toContain("Without --secret nothing is verified.");
  expect(await command.end("SIGTERM")).toBe(0);
  const printed = command.stdout().trim().split("\n");
  expect(printed.map((line) => JSON.parse(line))).toEqual([notification, notification]);
});

test("--help is answered with exit code 0", async () => {
  expect(await runHere(run, ["--help"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("--forward-to URL"),
  });
});

test.each([
  [["--forward-to", "localhost:4000"], "--forward-to must be an http or https URL."],
  [["--secret", "abc"], "--secret must be whsec_ and base64"],
  [["--port", "-1"], "--port"],
  [["http://127.0.0.1/"], 'Unexpected argument "http://127.0.0.1/". Options start with "--".'],
])("%j is refused in a sentence, with exit code 2", async (args, message) => {
  const { code, stderr } = await runHere(run, args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^[^\n]+ See --help\.\n$/);
});

test("a port in use is reported in a sentence, with exit code 1", async () => {
  const { port } = await startListener({});
  const { code, stderr } = await runHere(run, ["--port", String(port)]);
  expect(code).toBe(1);
  expect(stderr).toBe(`Port ${port} of 127.0.0.1 is in use; choose another with --port.\n`);
});
