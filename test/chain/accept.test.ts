/** What is told of blocks that were accepted without a check, and of those that were not accepted. */
import { pino } from "pino";
import { expect, test } from "vitest";
import { acceptBlock, logInapplicable } from "../../server/chain/check/accept.ts";
import type { BlockRefusedError } from "../../server/chain/check/refused.ts";
import { connectNode } from "../../server/chain/nodes/node.ts";
import { parseChains } from "../../server/chain/parse-chains.ts";
import type { BlockBundle } from "../../server/matching/wire.ts";
import { otherChainBundle, recordedBundle } from "../support/recorded.ts";
import { testChain } from "../support/service.ts";

const { block, receipts } = recordedBundle("mainnet-traced/19933122");
const rpcUrl = "https://user:secret-password@node.example/secret-key-0123?apikey=secret-query";
const node = connectNode(rpcUrl, { signal: new AbortController().signal });
const chain = testChain({ rpcUrl });
const told = { number: Number(block.number), hash: block.hash };

/** What the block is refused with. */
function refusalOf(bundle: BlockBundle): Error {
  try {
    acceptBlock(bundle, { chain, node, onInapplicable: () => {} });
  } catch (error) {
    return error as Error;
  }
  throw new Error("the block is accepted");
}

test("a refusal names the node without what its address keeps secret", () => {
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
  const followed = parseChains(JSON.stringify([{ chainId: "25", rpcUrls: [rpcUrl], checks }]), "CHAINS");
  expect(
    acceptBlock(cronos, { chain: followed[0] ?? chain, node, onInapplicable: () => {} }).bundle.receipts,
  ).toHaveLength(3);
});

test("where no configuration helps, none is recommended", () => {
  const traces = block.transactions.map(() => ({ error: "execution timeout" }));
  const error = refusalOf({ block, receipts, traces }) as BlockRefusedError;
  expect(error.summary).toBe("Block 19933122 fails the check traces.");
});

test("a check that could say nothing is told of with the first block, and with every thousandth", () => {
  const lines: { level: number; blocks: number; check: string }[] = [];
  const onInapplicable = logInapplicable(
    pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  );
  for (let count = 0; count < 2_500; count += 1) {
    onInapplicable({ check: "transactionsRoot", reason: "a transaction is not signed" }, told);
    if (count === 10) onInapplicable({ check: "bloom", reason: "it is another's" }, told);
  }
  expect(lines.map(({ check, blocks }) => [check, blocks])).toEqual([
    ["transactionsRoot", 1],
    ["bloom", 1],
    ["transactionsRoot", 1_000],
    ["transactionsRoot", 2_000],
  ]);
  expect(lines[0]).toMatchObject({ block: 19_933_122, hash: block.hash, reason: "a transaction is not signed" });
});

test("reasons that never end are counted together", () => {
  const lines: unknown[] = [];
  const onInapplicable = logInapplicable(pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }));
  for (let count = 0; count < 500; count += 1)
    onInapplicable({ check: "headerHash", reason: `a field x${count}` }, told);
  expect(lines).toHaveLength(101);
});

test("a refusal is one line of bounded length, whatever a node says", () => {
  const traces = block.transactions.map(() => ({ error: `no\n${"x".repeat(10_000)}` }));
  const error = refusalOf({ block, receipts, traces });
  expect(error.message).toMatch(/has no trace 0: no x+ \(check traces\)/);
  expect(error.message.length).toBeLessThan(600);
});
