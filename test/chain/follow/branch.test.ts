/** The way back along a branch ends, whatever a node makes up on it. */
import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { findBranch } from "../../../server/chain/follow/branch.ts";
import { connectNode } from "../../../server/chain/nodes/node.ts";
import { provenHeader } from "../../../server/chain/sources/node-source.ts";
import type { Hex } from "../../../server/matching/wire.ts";
import { beginAt, ensureChain, isRecorded, plainLane } from "../../../server/store/chains/cursor.ts";
import { createPool } from "../../../server/store/pool.ts";
import { createTestDatabase } from "../../support/database.ts";
import { startRpcProxy } from "../../support/rpc-proxy.ts";
import { testChain, testChainId } from "../../support/service.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const anyHash = (): Hex => `0x${randomBytes(32).toString("hex")}`;

test("a node whose parents never get lower is refused, where headers are not held against their hashes", async () => {
  const database = await createTestDatabase();
  const pool = createPool(database.url);
  const stub = await startRpcProxy();
  const over = new AbortController();
  closing.push(
    async () => over.abort(),
    stub.close,
    () => pool.end(),
    database.drop,
  );
  await ensureChain(pool, testChainId);
  await beginAt(pool, plainLane(testChainId), { number: 50, hash: anyHash() });
  stub.answer = ({ params: [hash] }) => ({
    result: { hash, number: "0x33", parentHash: anyHash(), transactions: [] },
  });
  const node = connectNode(stub.url, { signal: over.signal });
  const chain = { ...testChain({ rpcUrl: stub.url }), checks: { headerHash: "off" as const } };
  const headerOf = (hash: Hex) => provenHeader(node, chain, hash, new Map());
  const walk = findBranch(
    (block) => isRecorded(pool, plainLane(testChainId), block),
    { origin: node.origin, headerOf },
    { number: 51, parentHash: anyHash() },
  );
  await expect(walk).rejects.toMatchObject({ code: "block_refused", check: "parentHash" });
  expect(stub.calls).toHaveLength(1);
});
