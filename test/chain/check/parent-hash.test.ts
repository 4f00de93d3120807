/** Blocks that are recorded together follow one another. */
import { afterEach, expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { checkParent } from "../../../server/chain/check/header.ts";
import { connectNode } from "../../../server/chain/nodes/node.ts";
import { fetchByHash } from "../../../server/chain/read/run.ts";
import { rulesOf } from "../../../server/settings/chain-profiles.ts";
import { type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";
import { testChain } from "../../support/service.ts";

const [grandparent, parent, child] = ["avalanche/19", "avalanche/20", "avalanche/21"].map((name) =>
  recordedBundle(name),
);
if (!grandparent || !parent || !child) throw new Error("the blocks are not recorded");

let stub: RpcProxy | undefined;
afterEach(() => stub?.close());

test("a child passes", () => {
  expect(checkParent(child.block, parent.block)).toBeUndefined();
});

test.each([
  ["of another block", grandparent.block],
  ["that is no neighbour by number", { ...parent.block, number: "0x13" as const }],
])("a child %s is refused", (_, block) => {
  expect(checkParent(child.block, block)).toMatchObject({
    refused: expect.stringContaining("is not the child of block"),
  });
});

test("a branch whose blocks do not follow one another is refused by that check", async () => {
  const bundles = new Map([grandparent, child].map((bundle) => [bundle.block.hash as string, bundle]));
  stub = await startRpcProxy();
  stub.answer = ({ method, params: [hash] }) => {
    const { block, receipts } = bundles.get(String(hash)) ?? child;
    return { result: method === "eth_getBlockReceipts" ? receipts : block };
  };
  const node = connectNode(stub.url, { signal: new AbortController().signal });
  const rules = rulesOf(testChain({ rpcUrl: stub.url }));
  const context = { chainId: "1", rules, node, traces: false, onSkippedCheck: () => undefined };
  await expect(fetchByHash(context, [grandparent.block.hash, child.block.hash])).rejects.toMatchObject({
    code: "block_refused",
    check: "parentHash",
    block: { number: 21, hash: child.block.hash },
    node: stub.url,
  });
});
