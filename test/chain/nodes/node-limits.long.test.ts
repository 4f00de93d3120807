/** Calls go out in batches, a few concurrently, as many as the node accepts. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectNode, type Node } from "../../../server/chain/nodes/node.ts";
import { type RpcAnswer, type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";

let stub: RpcProxy;
let over: AbortController;
beforeEach(async () => {
  stub = await startRpcProxy();
  stub.answer = () => ({ result: "0x1" });
  over = new AbortController();
});
afterEach(async () => {
  over.abort();
  await stub.close();
});

const connect = () => connectNode(stub.url, { signal: over.signal });

describe("calls are gathered", () => {
  const many = (node: Node, count: number) => Array.from({ length: count }, (_, n) => node.request("eth_any", [n]));

  test("into a few concurrent batches, and each gets its own response", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    stub.answer = async ({ params }) => {
      await held;
      return { result: params[0] };
    };
    const asked = many(connect(), 100);
    await expect.poll(() => stub.batches).toEqual([10, 10, 10, 10]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(stub.calls.length).toBe(40);
    release();
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  test("and one that fails leaves the others of its batch as they are", async () => {
    stub.answer = ({ params }) =>
      params[0] === 5 ? { error: { code: -32000, message: "header not found" } } : { result: params[0] };
    const outcomes = await Promise.allSettled(many(connect(), 12));
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect(outcomes[5]).toMatchObject({ reason: { rpcCode: -32000 } });
  });

  test("but not for a node that refuses batches", async () => {
    stub.refusesBatches = true;
    stub.answer = ({ params }) => ({ result: params[0] });
    expect(await Promise.all(many(connect(), 30))).toHaveLength(30);
    expect(stub.batches).toEqual([]);
  });

  test("and in batches again when a node refused them only for a while", async () => {
    const node = connect();
    stub.answer = ({ params }) => ({ result: params[0] });
    stub.refusesBatches = true;
    await Promise.all(many(node, 30));
    stub.refusesBatches = false;
    expect(await Promise.all(many(node, 40))).toHaveLength(40);
    expect(Math.max(0, ...stub.batches)).toBeLessThan(3);
    await Promise.all(many(node, 3_000));
    expect(Math.max(...stub.batches)).toBe(10);
  });

  test("and traces are requested alone", async () => {
    const node = connect();
    await Promise.all([...many(node, 3), node.request("debug_traceBlockByHash", []), ...many(node, 3)]);
    expect(stub.calls).toHaveLength(7);
    expect(Math.max(...stub.batches)).toBeLessThanOrEqual(3);
  });
});

test.each<RpcAnswer>([
  { error: { code: -32005, message: "limit exceeded" } },
  { status: 429, text: "<p>Slow down.</p>".repeat(10_000) },
])("a node that asks for fewer calls gets fewer, and more again while it bears them (%#)", async (refusal) => {
  const held: (() => void)[] = [];
  const holds: RpcProxy["answer"] = async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    return { result: true };
  };
  const node = connectNode(stub.url, { signal: over.signal, alone: false });
  const traces = (count: number) => Array.from({ length: count }, () => node.request("debug_any", []));
  /** Waits until so many of eight calls are concurrent. @returns how many are a little later */
  async function atOnce(count: number): Promise<number> {
    stub.answer = holds;
    const asked = traces(8);
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(count);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { length } = held;
    stub.answer = () => ({ result: true });
    for (const release of held.splice(0)) release();
    await Promise.all(asked);
    return length;
  }
  expect(await atOnce(4)).toBe(4);
  stub.answer = () => refusal;
  await Promise.allSettled(traces(3));
  expect(await atOnce(1)).toBe(1);
  await Promise.all(traces(80));
  expect(await atOnce(4)).toBe(4);
});

test.each<[RpcAnswer, object]>([
  [
    { status: 429, text: "slow down", headers: { "retry-after": "7" } },
    { throttled: true, retryAfterMs: 7_000 },
  ],
  [
    { status: 429, text: "slow down" },
    { throttled: true, retryAfterMs: undefined },
  ],
  [
    { status: 503, text: "later", headers: { "retry-after": "1" } },
    { throttled: true, retryAfterMs: 1_000 },
  ],
  [
    { status: 503, text: "broken" },
    { throttled: false, retryAfterMs: undefined },
  ],
  [{ error: { code: -32005, message: "limit" } }, { throttled: true, retryAfterMs: undefined }],
  [{ error: { code: -32007, message: "15/second request limit reached" } }, { throttled: true }],
  [{ error: { code: -32029, message: "Rate limit exceeded" } }, { throttled: true }],
  [{ error: { code: 429, message: "compute units" } }, { throttled: true }],
  [{ error: { code: -32016, message: "over rate limit" } }, { throttled: true }],
  [{ status: 200, text: '{"error":"Too many requests"}' }, { throttled: true }],
  [
    { status: 200, text: '{"error":{"code":-32005,"message":"rps","data":{"rate":{"backoff_seconds":30}}}}' },
    { throttled: true, retryAfterMs: 30_000 },
  ],
  [
    { status: 200, text: '{"error":{"code":-32005,"message":"rps"}}', headers: { "retry-after": "7" } },
    { throttled: true, retryAfterMs: 7_000 },
  ],
  [{ error: { code: 3, message: "execution reverted: too many requests" } }, { throttled: false }],
  [
    { status: 429, text: "", headers: { "retry-after": "99999" } },
    { throttled: true, retryAfterMs: 600_000 },
  ],
])("%j throttles us for as long as it says", async (answer, expected) => {
  stub.answer = () => answer;
  await expect(connect().request("eth_any", [])).rejects.toMatchObject(expected);
});
