/** `chain-webhooks-tools mcp` as a process: whatever comes in on standard input, only messages go out, and it ends when the input does. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeService, startFakeService } from "../support/agent.ts";
import { commandArguments } from "../support/programs.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages of any kind.
type Message = any;

let fake: FakeService;
let child: ChildProcessWithoutNullStreams;
let lines: AsyncIterator<string>;
let ended: Promise<[number | null, NodeJS.Signals | null]>;
let stderr: string;
beforeEach(async () => {
  fake = await startFakeService();
  const env = { PATH: process.env.PATH, BASE_URL: fake.url, API_KEY: "cwk_12345678" };
  child = spawn(process.execPath, commandArguments("mcp"), { env });
  stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  ended = once(child, "close") as typeof ended;
  lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
});
afterEach(async () => {
  child.kill("SIGKILL");
  await fake.close();
});

const write = (...texts: string[]) => child.stdin.write(texts.map((text) => `${text}\n`).join(""));
const send = (...messages: object[]) =>
  write(...messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message })));
const callTool = (id: number, name: string, args: object = {}) =>
  ({ id, method: "tools/call", params: { name, arguments: args } }) as const;
const next = async (): Promise<Message> => JSON.parse((await lines.next()).value);

async function initialize(protocolVersion = "2025-11-25"): Promise<Message> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "0" } };
  send({ id: "first", method: "initialize", params });
  const { result } = await next();
  send({ method: "notifications/initialized" });
  return result;
}

test("lines that are no message, too large or too deep are survived, and nothing but messages is written", async () => {
  await initialize();
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  write("", "{", "not JSON", "[]", "null", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', "\u0000\ufeff{}", deep);
  write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${"x".repeat(9 * 1024 * 1024)}"}}`);
  write(
    `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write_operation","arguments":{"body":${deep}}}}`,
  );
  send({ id: 3, method: "nothing/known" }, { method: "notifications/unknown" }, { id: 99, result: {} });
  send(callTool(4, "search_operations", { query: "secret" }));
  const answers: Message[] = [];
  for (let last = 0; last !== 4; last = answers.at(-1).id) answers.push(await next());
  expect(answers.find(({ id }) => id === 3).error.code).toBe(-32601);
  expect(answers.find(({ id }) => id === 4).result.content[0].text).toMatch(/^getWebhookSecret/);
  expect(stderr).toContain("Ignored a line of more than 8388608 bytes.");
  expect(stderr).toMatch(/^Ignored: Unexpected token .*not JSON/m);
  expect(stderr).toContain("Ignored: JSON that is no message of JSON-RPC 2.0.\n");
  expect(stderr).not.toContain("invalid_union");
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});

test("hosts of any version are served, and inputs of a megabyte are answered in a sentence", async () => {
  for (const [asked, given] of [
    ["2024-11-05", "2024-11-05"],
    ["1999-12-31", "2025-11-25"],
  ]) {
    const { protocolVersion, capabilities, serverInfo } = await initialize(asked);
    expect({ protocolVersion, capabilities }).toEqual({ protocolVersion: given, capabilities: { tools: {} } });
    expect(serverInfo).toMatchObject({ name: "chain-webhooks" });
    send({ id: 1, method: "tools/list" });
    expect((await next()).result.tools).toHaveLength(7);
  }
  const mebibyte = "x".repeat(1024 * 1024);
  send(
    callTool(1, "search_operations", { query: mebibyte }),
    callTool(2, "describe_operation", { operationId: mebibyte }),
    callTool(3, "read_operation", { operationId: "listWebhooks", query: { [mebibyte]: 1 } }),
    callTool(4, "write_operation", { operationId: "createWebhook", body: { description: mebibyte } }),
    callTool(5, mebibyte),
    callTool(6, "read_operation", { operationId: "getWebhook", path: { id: mebibyte } }),
  );
  for (let answered = 0; answered < 6; answered += 1) {
    const { result, error } = await next();
    expect(result?.isError ?? error !== undefined).toBe(true);
    expect(JSON.stringify(result ?? error).length).toBeLessThan(1_500);
  }
});

test("requests that are piped are all answered before it exits with 0, also by a slow server", async () => {
  fake.answer = (_, response) =>
    setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end('{"webhooks":[]}'), 6_000);
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "0" } };
  send({ id: 0, method: "initialize", params }, callTool(1, "read_operation", { operationId: "listWebhooks" }));
  child.stdin.end();
  expect((await next()).id).toBe(0);
  expect((await next()).result.content[0].text).toContain("succeeded");
  expect(await ended).toEqual([0, null]);
});

test("the last line may lack its end, and answers may be read late", async () => {
  child.stdout.pause();
  const pings = Array.from({ length: 5_000 }, (_, id) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
  child.stdin.end(pings.join("\n"));
  await expect.poll(() => child.stdin.writableFinished).toBe(true);
  child.stdout.resume();
  for (const id of pings.keys()) expect((await next()).id).toBe(id);
  expect(await ended).toEqual([0, null]);
  expect(stderr).not.toContain("Warning");
});

test("SIGTERM ends it with 0, also during a call", async () => {
  await initialize();
  fake.answer = () => child.kill("SIGTERM");
  send(callTool(1, "read_operation", { operationId: "listWebhooks" }));
  expect(await ended).toEqual([0, null]);
});
