/** Nodes allow so many calls a second, in several ways. We go as fast as they allow, and no call fails as long as they answer others. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectNode } from "../../../server/chain/nodes/node.ts";
import { CallPace } from "../../../server/chain/nodes/node-limits.ts";
import { fetchReceiptsAndTraces } from "../../../server/chain/read/fetch.ts";
import { type StubCall, startStubNode } from "./stub-node.ts";

type Limit = {
  perSecond: number;
  /** What counts: each call, each request, or each call of requests that are refused as a whole. */
  counted: "calls" | "requests" | "whole requests";
  refusal: { code?: number; message: string; status?: number; headers?: Record<string, string> };
};

/** A node without `eth_getBlockReceipts`. */
async function startLimited({ perSecond, counted, refusal }: Limit) {
  const node = { url: "", calls: 0, refused: 0 };
  let tokens = perSecond;
  let at = performance.now();
  const takes = (count: number) => {
    const now = performance.now();
    tokens = Math.min(perSecond, tokens + ((now - at) / 1_000) * perSecond);
    at = now;
    if (tokens < count) return false;
    tokens -= count;
    return true;
  };
  const refusalOf = (id: unknown) => ({ id, error: { code: refusal.code ?? 429, message: refusal.message } });
  const answerTo = ({ id, method, params }: StubCall) => {
    if (method === "eth_getBlockReceipts") return { id, error: { code: -32601, message: "no such method" } };
    return { id, result: { transactionHash: params[0], logs: [] } };
  };
  node.url = await startStubNode((calls, response, isBatch) => {
    node.calls += calls.length;
    const isRefused = counted !== "calls" && !takes(counted === "requests" ? 1 : calls.length);
    const answers = calls.map((call) => (counted !== "calls" || takes(1) ? answerTo(call) : refusalOf(call.id)));
    node.refused += isRefused
      ? calls.length
      : answers.filter((each) => "error" in each && each.error.code !== -32601).length;
    if (isRefused && refusal.status) response.writeHead(refusal.status, refusal.headers).end(refusal.message);
    else if (isRefused) response.end(JSON.stringify(refusalOf(null)));
    else response.end(JSON.stringify(isBatch ? answers : answers[0]));
  });
  return node;
}

let over: AbortController;
beforeEach(() => {
  over = new AbortController();
});
afterEach(() => over.abort());

const rps: Limit["refusal"] = { code: -32005, message: "limit exceeded" };
const limits: [string, Limit, number][] = [
  ["calls, with an error for each", { perSecond: 60, counted: "calls", refusal: rps }, 150],
  ["calls, with 429 in each", { perSecond: 60, counted: "calls", refusal: { message: "too much" } }, 150],
  ["requests, with status 429", { perSecond: 6, counted: "requests", refusal: { status: 429, message: "" } }, 150],
  ["requests, with one error", { perSecond: 6, counted: "requests", refusal: rps }, 150],
  [
    "requests, with Retry-After",
    { perSecond: 6, counted: "requests", refusal: { status: 429, message: "", headers: { "retry-after": "1" } } },
    150,
  ],
  ["calls, fewer than a batch has", { perSecond: 8, counted: "whole requests", refusal: rps }, 24],
];

describe.each(limits)("A node that limits %s", (_, limit, count) => {
  test("returns a block's receipts in one attempt, at about the rate that it allows", async () => {
    const stub = await startLimited(limit);
    const node = connectNode(stub.url, { signal: over.signal });
    const transactionHashes = Array.from({ length: count }, (_, index) => `0x${index}` as const);
    const { receipts } = await fetchReceiptsAndTraces(node, { hash: "0x1", transactionHashes }, { traces: false });
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(transactionHashes);
    // A busy machine makes it slower, but never makes a limited node be asked more.
    expect(stub.refused).toBeLessThan(1.5 * count);
  });
});

describe("The pace", () => {
  let now = 0;
  const pace = (patienceMs = 30_000) => {
    now = 0;
    return new CallPace(patienceMs, () => now);
  };
  const throttle = (pace: CallPace, more: { alone?: boolean; retryAfterMs?: number; calls?: number } = {}) =>
    pace.throttled({ calls: 1, alone: true, sentAt: now, retryAfterMs: undefined, ...more });

  /** Calls a node with a bucket, one after the other, each answered after 20 ms. @returns how many a second were answered in the end */
  function follow(pace: CallPace, perSecond: number, seconds: number): number {
    let tokens = perSecond;
    let late = 0;
    const end = now + seconds * 1_000;
    while (now < end) {
      const size = Math.min(10, pace.allowed());
      if (size > 0) {
        const sentAt = now;
        pace.sent(size);
        now += 20;
        const good = Math.min(size, Math.floor(tokens));
        tokens -= good;
        if (good > 0) pace.answered(good);
        if (now > end / 2) late += good;
        if (good < size)
          expect(pace.throttled({ calls: size - good, alone: size === 1, sentAt, retryAfterMs: undefined })).toBe(
            "wait",
          );
      } else now += 5;
      tokens = Math.min(perSecond, tokens + (perSecond * (size > 0 ? 20 : 5)) / 1_000);
    }
    return late / (seconds / 2);
  }

  test.each([2, 5, 25, 100, 300])("finds a rate of %d calls a second", (perSecond) => {
    const found = follow(pace(), perSecond, 60);
    expect(found).toBeGreaterThan(0.8 * perSecond);
  });

  test("is not limited for a node that never asks for fewer calls", () => {
    const free = pace();
    for (let count = 0; count < 100; count += 1) {
      expect(free.allowed()).toBeGreaterThan(1_000);
      free.sent(10);
    }
  });

  test("gives up at the first single call if the node has not answered yet", () => {
    expect(throttle(pace())).toBe("give up");
  });

  test("gives up if the node asks for more patience than there is", () => {
    const some = pace(1_000);
    some.answered(1);
    expect(throttle(some, { retryAfterMs: 2_000 })).toBe("give up");
    some.answered(1);
    expect(throttle(some, { retryAfterMs: 900 })).toBe("wait");
    expect(some.allowed()).toBe(0);
    expect(some.waitMs()).toBe(900);
  });

  test("pauses twice as long each time, until its patience is over", () => {
    const some = pace();
    some.answered(1);
    now += 5_000;
    const pauses: number[] = [];
    while (throttle(some) === "wait") {
      pauses.push(some.waitMs());
      now += some.waitMs();
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
    // Then it fails at once, until the node answers again.
    expect(throttle(some)).toBe("give up");
    some.answered(1);
    expect(throttle(some)).toBe("wait");
  });

  test("counts what was in flight together once", () => {
    const some = pace();
    some.answered(100);
    const sentAt = now;
    now += 10;
    const refusal = { calls: 10, alone: false, sentAt, retryAfterMs: undefined };
    expect(some.throttled(refusal)).toBe("wait");
    const waitMs = some.waitMs();
    for (let count = 0; count < 3; count += 1) expect(some.throttled(refusal)).toBe("wait");
    expect(some.waitMs()).toBe(waitMs);
  });
});
