/** Which block is final, by the chain's finality and what its node returns. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { connectNode, type Node } from "../../../server/chain/nodes/node.ts";
import { readFinality } from "../../../server/chain/sources/node-source.ts";
import type { Finality } from "../../../server/settings/chain-profiles.ts";
import { type RpcAnswer, type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";
import { testChain } from "../../support/service.ts";

const final = recordedBundle("mainnet/20000000").block;
const reached = 20_000_100;

let stub: RpcProxy;
let node: Node;
let over: AbortController;
beforeEach(async () => {
  stub = await startRpcProxy();
  over = new AbortController();
  node = connectNode(stub.url, { signal: over.signal });
});
afterEach(async () => {
  over.abort();
  await stub.close();
});

async function finalNumber(finality: Finality): Promise<number> {
  const final = await readFinality({ ...testChain({ rpcUrl: stub.url }), finality }, node);
  return final(reached);
}

test.each<[Finality, RpcAnswer, number]>([
  ["latest", { result: final }, reached],
  [{ confirmations: 64 }, { result: final }, reached - 64],
  ["finalized", { result: final }, 20_000_000],
  ["finalized", { result: null }, reached - 10_000],
  ["finalized", { error: { code: -39001, message: "finalized block not found" } }, reached - 10_000],
])("with finality %j and a node that returns %o", async (finality, answer, expected) => {
  stub.answer = () => answer;
  expect(await finalNumber(finality)).toBe(expected);
});

test("a node ahead of the cursor makes no unrecorded block final", async () => {
  stub.answer = () => ({ result: { ...final, number: "0x1312e00" } });
  expect(await finalNumber("finalized")).toBe(reached);
});

test("a node that does not answer makes the step fail", async () => {
  stub.answer = () => "cut";
  await expect(finalNumber("finalized")).rejects.toMatchObject({ name: "NodeError" });
});
