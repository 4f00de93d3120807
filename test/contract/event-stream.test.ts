/** Streams of events: what keeps them alive, and what they take of a slow client or of one that has left. */
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Response } from "express";
import { afterEach, expect, test, vi } from "vitest";
import { type ServerSentEvent, sendEvents } from "../../server/contract/response-check.ts";
import { eventually } from "../support/eventually.ts";

let server: Server;
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

async function serve(answer: (response: Response) => void): Promise<string> {
  server = createServer(express().use((_request, response) => answer(response)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Asks for the stream and leaves the reading to the caller. */
async function ask(url: string): Promise<IncomingMessage> {
  const asked = get(url, { agent: false }).on("error", () => undefined);
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  return response.on("error", () => undefined);
}

async function* never(): AsyncGenerator<readonly ServerSentEvent[]> {
  await new Promise(() => undefined);
  yield [];
}

test("a stream in which nothing happens says something every 15 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const url = await serve((response) => sendEvents(response, never()));
  let text = "";
  (await ask(url)).setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  for (let comments = 1; comments <= 4; comments += 1) {
    await eventually(() => expect(text).toBe(":\n\n".repeat(comments)));
    vi.advanceTimersByTime(14_999);
    expect(text).toBe(":\n\n".repeat(comments));
    vi.advanceTimersByTime(1);
  }
});

test("of a client that takes nothing, nothing is read ahead, and nothing is said to it", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let asked = 0;
  let sent: Response | undefined;
  async function* events(): AsyncGenerator<readonly ServerSentEvent[]> {
    for (; asked < 100; asked += 1) yield [{ id: String(asked + 1), data: "x".repeat(1_000_000) }];
  }
  const url = await serve((response) => {
    sent = response;
    sendEvents(response, events());
  });
  const stalled = (await ask(url)).pause();
  await eventually(() => expect(sent?.writableNeedDrain).toBe(true));
  // The kernel takes a few megabytes for it.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = { asked, kept: sent?.writableLength ?? 0 };
  expect(before.asked).toBeLessThan(50);
  expect(before.kept).toBeLessThan(1_100_000);
  vi.advanceTimersByTime(600_000);
  expect({ asked, kept: sent?.writableLength }).toEqual(before);
  // When it reads again, nothing is missing.
  let length = 0;
  stalled.on("data", (part: Buffer) => {
    length += part.length;
  });
  await once(stalled.resume(), "end");
  expect(length).toBeGreaterThan(100_000_000);
});

test("a stream to a client that has left before it began leaves nothing behind", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const begun = new Promise<Response>((resolve) => {
    void serve(resolve).then((url) => {
      const asked = get(url, { agent: false }).on("error", () => undefined);
      server.once("request", () => asked.destroy());
    });
  });
  const response = await begun;
  await eventually(() => expect(response.closed).toBe(true));
  sendEvents(response, never());
  expect(vi.getTimerCount()).toBe(0);
});
