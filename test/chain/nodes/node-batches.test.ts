/** Answers of a batch: each call gets its own, whatever becomes of the others. */
import { describe, expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { connectNode } from "../../../server/chain/nodes/node.ts";
import { type RpcAnswer, startRpcProxy } from "../../support/rpc-proxy.ts";

const { block, receipts } = recordedBundle("mainnet/20000000");
const small = { result: null };
const large = [{ result: block }, { result: receipts }, small, { error: { code: -32000, message: '},{"id":1' } }];

describe("a node", () => {
  async function ask(change: (text: string) => string) {
    const stub = await startRpcProxy();
    const over = new AbortController();
    stub.change = change;
    stub.answer = ({ params: [index] }) => large[Number(index)] as RpcAnswer;
    const node = connectNode(stub.url, { signal: over.signal, maxConcurrent: 1 });
    const asks = large.map((_, index) => node.request("eth_any", [index]));
    const asked = await Promise.allSettled(asks);
    over.abort();
    await stub.close();
    return { asked, batches: stub.batches };
  }
  const wanted = [
    { status: "fulfilled", value: block },
    { status: "fulfilled", value: receipts },
    { status: "fulfilled", value: null },
    { status: "rejected", reason: expect.objectContaining({ name: "NodeError", rpcCode: -32000 }) },
  ];

  test("returns each call's own answer in any order, and one call's error affects no other", async () => {
    const reversed = (text: string) =>
      text.startsWith("[") ? JSON.stringify((JSON.parse(text) as unknown[]).toReversed()) : text;
    const { asked } = await ask(reversed);
    expect(asked).toEqual(wanted);
  });

  test("whose answer is cut off gets smaller batches", async () => {
    const cut = (text: string) => (text.startsWith("[") ? text.slice(0, -10) : text);
    const { asked, batches } = await ask(cut);
    expect(asked).toEqual(wanted);
    expect(batches.length).toBeGreaterThan(1);
  });

  test("that returns invalid JSON for one call fails with that call", async () => {
    const broken = (text: string) => text.replace('"parentHash":"0x', '"parentHash":0x');
    const { asked } = await ask(broken);
    expect(asked[0]).toMatchObject({ status: "rejected", reason: { name: "NodeError" } });
    expect(asked.slice(1)).toEqual(wanted.slice(1));
  });
});
