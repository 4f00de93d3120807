/** The error for a block that is refused. */
import { expect, test } from "vitest";
import { otherChainBundle, recordedBundle } from "../../../scripts/local/recorded.ts";
import { acceptBundle, type BlockRefusedError } from "../../../server/chain/check/accept.ts";
import type { BlockBundle } from "../../../server/matching/wire.ts";
import { rulesOf } from "../../../server/settings/chain-profiles.ts";
import { parseChains } from "../../../server/settings/chains.ts";
import { testChain } from "../../support/service.ts";

const { block, receipts } = recordedBundle("mainnet-traced/19933122");
const node = "https://node.example";
const rules = rulesOf(testChain({ rpcUrl: node }));

function refusalOf(bundle: BlockBundle): Error {
  try {
    acceptBundle(bundle, rules, node);
  } catch (error) {
    return error as Error;
  }
  throw new Error("the block is accepted");
}

test("a refusal names block, node and check", () => {
  expect(refusalOf({ block, receipts: receipts.slice(1) })).toMatchObject({
    name: "BlockRefusedError",
    code: "block_refused",
    check: "receipts",
    block: { number: 19_933_122, hash: block.hash },
    node: "https://node.example",
    message: expect.stringContaining(
      `block 19933122 (${block.hash}) of https://node.example has 45 transactions and 44 receipts (check receipts); `,
    ),
  });
});

test("a refusal names all checks that failed, and the configuration that turns them off", () => {
  const cronos = otherChainBundle("cronos-6542");
  const error = refusalOf(cronos) as BlockRefusedError;
  expect(error.failed.map(({ check }) => check)).toEqual(["transactionsRoot", "receiptsRoot", "headerHash"]);
  const advice =
    "If all nodes of the chain return such blocks, add " +
    '"checks": {"transactionsRoot":"off","receiptsRoot":"off","headerHash":"off"} to its configuration.';
  expect(error.message).toContain(advice);
  expect(error.summary).toBe(`Block 6542 fails the checks transactionsRoot, receiptsRoot, headerHash. ${advice}`);
  expect(error.summary).not.toContain("node.example");
  const checks = JSON.parse(/"checks": (\{.*?\})/.exec(error.summary)?.[1] ?? "");
  const followed = parseChains(JSON.stringify([{ chainId: "25", rpcUrls: [node], checks }]), "CHAINS");
  expect(acceptBundle(cronos, followed[0] ? rulesOf(followed[0]) : rules, node).bundle.receipts).toHaveLength(3);
});

test("where no configuration helps, none is recommended", () => {
  const traces = block.transactions.map(() => ({ error: "execution timeout" }));
  const error = refusalOf({ block, receipts, traces }) as BlockRefusedError;
  expect(error.summary).toBe("Block 19933122 fails the check traces.");
});

test("a refusal is one line of bounded length, whatever a node returns", () => {
  const traces = block.transactions.map(() => ({ error: `no\n${"x".repeat(10_000)}` }));
  const error = refusalOf({ block, receipts, traces });
  expect(error.message).toMatch(/has no trace 0: no x+ \(check traces\)/);
  expect(error.message.length).toBeLessThan(600);
});
