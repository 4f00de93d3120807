/** How long a tool of `chain-webhooks-tools mcp` waits for a server, and how much it reads. In this process, where a test can speed up time. */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as otherWork } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadSdk } from "../../scripts/command/mcp/sdk.ts";
import { createMcpServer } from "../../scripts/command/mcp/server.ts";
import { type FakeService, startFakeService } from "../support/agent.ts";

let fake: FakeService;
let client: Client;
let asked: number;
beforeEach(async () => {
  asked = 0;
  fake = await startFakeService();
  const access = { baseUrl: fake.url, apiKey: "cwk_12345678" };
  const server = createMcpServer({ sdk: loadSdk(), access, allowWrite: false, log: () => {} });
  const [here, there] = InMemoryTransport.createLinkedPair();
  client = new Client({ name: "test", version: "1.0.0" });
  await Promise.all([server.connect(there), client.connect(here)]);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await client.close();
  await fake.close();
});

const answer = (respond: (response: ServerResponse) => unknown) => {
  fake.answer = (_, response) => {
    asked += 1;
    respond(response);
  };
};
const read = async () => {
  const { content } = await client.callTool({ name: "read_operation", arguments: { operationId: "listWebhooks" } });
  return (content as { text: string }[])[0]?.text;
};

test.each([
  ["nothing", () => undefined],
  ["half an answer", (response: ServerResponse) => response.write('{"webhooks":')],
  ["one byte a second", (response: ServerResponse) => setInterval(() => response.write(" "), 1_000).unref()],
])("a server that sends %s is given up after 10 seconds, twice", async (_, respond) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "Date"] });
  answer(respond);
  const began = Date.now();
  const reading = read();
  let text: string | undefined;
  void reading.then((read) => {
    text = read;
  });
  while (text === undefined) {
    // The server has the request before its time passes.
    for (let turn = 0; turn < 20; turn += 1) await otherWork();
    await vi.advanceTimersByTimeAsync(100);
    if (Date.now() - began > 59_000) break;
  }
  expect(text).toMatch(
    /^listWebhooks failed: timeout\. No whole answer came within 10 seconds\. It is unknown whether/,
  );
  expect(asked).toBe(2);
  expect(Date.now() - began).toBeGreaterThanOrEqual(20_000);
});

test("a call ends after 50 seconds in all, and its request with it", async () => {
  const limit = vi.spyOn(AbortSignal, "timeout");
  limit.mockImplementation(() => {
    const ending = new AbortController();
    setTimeout(() => ending.abort(), 100);
    return ending.signal;
  });
  const cut = new Promise((resolve) => answer((response) => response.once("close", resolve)));
  expect(await read()).toBe("The call took more than 50 seconds and was ended.");
  expect(limit).toHaveBeenCalledWith(50_000);
  await cut;
});

const mebibyte = Buffer.alloc(1024 * 1024, " ");

test.each([
  ["an answer without end", {}, mebibyte],
  [
    "one that is small only while it is compressed",
    { "content-encoding": "gzip" },
    gzipSync(Buffer.alloc(2 ** 26, " ")),
  ],
])("%s is not read further than 32 MiB", async (_, headers, chunk) => {
  let sent = 0;
  function* endless() {
    for (; sent < 400 * mebibyte.length; sent += chunk.length) yield chunk;
  }
  answer((response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers });
    pipeline(Readable.from(endless()), response).catch(() => undefined);
  });
  expect(await read()).toMatch(/^listWebhooks failed: network_error\. No whole answer came\./);
  expect(asked).toBe(2);
  expect(sent).toBeLessThan(200 * mebibyte.length);
});
