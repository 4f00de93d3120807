/** Nodes refuse batches in many ways. Whatever a batch fails with, its calls are made in smaller ones, and each gets its own answer. */
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { connectNode } from "../../../server/chain/nodes/node.ts";
import { type StubCall, startStubNode } from "./stub-node.ts";

type Refuse = (calls: readonly StubCall[], response: ServerResponse) => void;

const mostCalls = 3;
const error = (id: unknown, code: number, message: string) => ({ jsonrpc: "2.0", id, error: { code, message } });
const answer = ({ id, params }: StubCall) => ({ jsonrpc: "2.0", id, result: params[0] });
const tooMany = "batch limit 3 exceeded";
const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const refusals: Record<string, Refuse> = {
  "an array with one error": ([first], response) => json(response, [error(first?.id, -32600, "batch too large")]),
  "an array with one error without an id": (_, response) => json(response, [error(null, -32000, tooMany)]),
  "one error": (_, response) => json(response, error(null, -32000, tooMany)),
  "a 500 whose error has an id of its own": (_, response) => json(response, error(1, 31, tooMany), 500),
  "a 402": (_, response) => json(response, { message: "Payment required" }, 402),
  "a 403 in HTML": (_, response) => response.writeHead(403).end("<html><h1>Forbidden</h1></html>"),
  "a 413": (_, response) => response.writeHead(413).end(),
  "a dropped connection": (_, response) => response.destroy(),
  "an error for each call": (calls, response) =>
    json(
      response,
      calls.map(({ id }) => error(id, -32000, tooMany)),
    ),
  "a throttling error for each call that speaks of the batch": (calls, response) =>
    json(
      response,
      calls.map(({ id }) => error(id, -32005, tooMany)),
    ),
  "an error for each call of the tail": (calls, response) =>
    json(
      response,
      calls.map((call, index) => (index < mostCalls ? answer(call) : error(call.id, -32003, "response too large"))),
    ),
  "nothing for the tail": (calls, response) => json(response, calls.slice(0, mostCalls).map(answer)),
  "a 500 with the results of the first": (calls, response) =>
    json(response, calls.slice(0, mostCalls).map(answer), 500),
  "an id twice": (calls, response) =>
    json(
      response,
      calls.map((call) => ({ ...answer(call), id: 0 })),
    ),
  "the first result alone": ([first], response) => json(response, first && answer(first)),
  "an empty array": (_, response) => json(response, []),
  nothing: (_, response) => response.writeHead(200).end(),
  "more than we read": (_, response) => response.end(Buffer.alloc(9_000_000, "x")),
};

/** A node that takes three calls, the sizes of what it was sent, and how to refuse the rest. */
async function startNode() {
  const node = { url: "", sizes: [] as number[], most: mostCalls, refuse: (() => undefined) as Refuse };
  node.url = await startStubNode((calls, response, isBatch) => {
    node.sizes.push(calls.length);
    const [first] = calls;
    if (calls.length > node.most) node.refuse(calls, response);
    else json(response, isBatch ? calls.map(answer) : first && answer(first));
  });
  return node;
}

let over: AbortController;
beforeEach(() => {
  over = new AbortController();
});
afterEach(() => over.abort());

const values = (count: number) => Array.from({ length: count }, (_, index) => `0x${index}`);

describe.each(Object.entries(refusals))("A node that answers a long batch with %s", (_, refuse) => {
  test("gets shorter ones, and every call its result", async () => {
    const stub = await startNode();
    stub.refuse = refuse;
    const node = connectNode(stub.url, { signal: over.signal });
    const ask = () => Promise.all(values(40).map((value) => node.request("eth_any", [value])));
    expect(await ask()).toEqual(values(40));
    stub.sizes.length = 0;
    expect(await ask()).toEqual(values(40));
    expect(Math.max(...stub.sizes)).toBeLessThanOrEqual(mostCalls + 1);
    expect(stub.sizes.length).toBeLessThan(40);
  });
});

test("a batch that is not answered in time is made in smaller ones", async () => {
  const stub = await startNode();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const node = connectNode(stub.url, { signal: over.signal });
  let answered: unknown[] | undefined;
  void Promise.all(values(10).map((value) => node.request("eth_any", [value]))).then((all) => {
    answered = all;
  });
  while (!answered) {
    const sent = stub.sizes.length;
    await new Promise(setImmediate);
    if (sent === stub.sizes.length && (stub.sizes.at(-1) ?? 0) > mostCalls) vi.advanceTimersByTime(15_000);
  }
  expect(answered).toEqual(values(10));
});

test("a limit is met more and more rarely, and a node that takes more again gets more", async () => {
  const stub = await startNode();
  stub.refuse = (calls, response) => json(response, [error(calls[0]?.id, -32600, "batch too large")]);
  const node = connectNode(stub.url, { signal: over.signal, maxConcurrent: 1 });
  const ask = (count: number) => Promise.all(values(count).map((value) => node.request("eth_any", [value])));
  const refused = () => stub.sizes.filter((size) => size > stub.most).length;
  const count = 600;
  await ask(count);
  const first = refused();
  expect(first).toBeLessThan(10);
  expect(stub.sizes.length).toBeLessThan(0.47 * count);
  await ask(count);
  expect(refused() - first).toBeLessThanOrEqual(2);
  stub.most = 10;
  await ask(4 * count);
  expect(Math.max(...stub.sizes.slice(-20))).toBe(10);
});

test("a node that fails is asked for one call of a batch alone, not for all", async () => {
  const stub = await startNode();
  stub.most = 0;
  stub.refuse = (_, response) => response.writeHead(502).end("<html>");
  const node = connectNode(stub.url, { signal: over.signal });
  const outcomes = await Promise.allSettled(values(40).map((value) => node.request("eth_any", [value])));
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  expect(stub.sizes.length).toBeLessThanOrEqual(12);
  stub.most = 10;
  stub.sizes.length = 0;
  await Promise.all(values(40).map((value) => node.request("eth_any", [value])));
  expect(Math.max(...stub.sizes)).toBe(10);
});
