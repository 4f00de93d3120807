/** A follower on a chain whose newest block the test chooses, returned by a stub as nodes do. */

import { pino } from "pino";
import { expect } from "vitest";
import validateNotification from "../../generated/validate-notification.js";
import { recordedBundle } from "../../scripts/local/recorded.ts";
import type { BlockBundle, Hex, WireReceipt, WireTransaction } from "../../server/matching/wire.ts";
import { startService } from "../../server/service.ts";
import { profileOf } from "../../server/settings/chain-profiles.ts";
import type { ChainConfig } from "../../server/settings/chains.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { beginAt, ensureChain, plainLane } from "../../server/store/chains/cursor.ts";
import { createPool, inTransaction } from "../../server/store/pool.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { assertSchema } from "../support/closed-schema.ts";
import { createTestDatabase } from "../support/database.ts";
import { type RpcAnswer, type RpcCall, startRpcProxy } from "../support/rpc-proxy.ts";
import { testConfig } from "../support/service.ts";
import { soon } from "./chain-world.ts";
import { followedTo } from "./followed-to.ts";
import { type Notified, notifiedOf } from "./notified.ts";

/** What became of the block. */
export type Followed = {
  /** What its webhook was notified of. */
  notified: Notified[];
  /** By which checks it was refused, as the log says. */
  refused: string | undefined;
  /** Which checks could say nothing, or were made possible by mending. */
  accepted: { check: string; reason: string }[];
};

/**
 * Follows the block, and holds every payload against the contract.
 *
 * @param watched whose activity is notified
 * @param chain what the configuration has besides the chain's identifier
 * @param answer replaces the node's usual response; the block is awaited until it is followed
 */
export async function followBlock(
  chainId: string,
  bundle: BlockBundle,
  watched: readonly string[],
  chain: Partial<ChainConfig> = {},
  answer = asUsual,
): Promise<Followed> {
  const [database, stub] = await Promise.all([createTestDatabase(), startRpcProxy()]);
  stub.answer = (call) => answer(call, answerOf(chainId, bundle, call));
  const pool = createPool(database.url);
  await ensureChain(pool, chainId);
  const number = Number(bundle.block.number);
  await beginAt(pool, plainLane(chainId), { number: number - 1, hash: bundle.block.parentHash });
  await pool.query("INSERT INTO accounts (name) VALUES ('test')");
  const includeInternalTxs = bundle.traces !== undefined;
  const { id } = await inTransaction(pool, (db) =>
    createWebhook(db, 1, { ...webhook(chainId), includeInternalTxs, addresses: [...watched] }, noKeys),
  );
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const { finality } = profileOf(chainId);
  const config: ChainConfig = {
    chainId,
    name: "One block",
    rpcUrls: [stub.url],
    traces: true,
    finality,
    pollMs: 20,
    ...chain,
  };
  const service = await startService(testConfig(database.url, [config], { roles: new Set(["follow"]) }), log);
  try {
    const refused = () => logged.map(({ reason }) => String(reason)).find((reason) => reason.includes("(check "));
    await soon(async () => {
      const followed = (await followedTo(pool)) === bundle.block.hash;
      if (!followed && (answer !== asUsual || !refused()))
        throw new Error(`neither followed nor refused: ${JSON.stringify(logged.slice(-3))}`);
    });
    const notified = await notifiedOf(pool, id);
    for (const { messageId, event } of notified)
      assertPayload({ webhookId: id, eventType: "address_activity", messageId, event });
    // The lane that notifies the webhook; the other one reads the block too.
    const ofLane = includeInternalTxs ? "traces" : "plain";
    const accepted = logged.filter(({ msg, lane }) => msg === "a block is accepted without a check" && lane === ofLane);
    return {
      notified,
      refused: refused(),
      accepted: accepted.map(({ check, reason }) => ({ check: String(check), reason: String(reason) })),
    };
  } finally {
    await service.stop();
    await pool.end();
    await Promise.all([stub.close(), database.drop()]);
  }
}

const asUsual = (_: RpcCall, usual: RpcAnswer) => usual;

/** As receivers do, and by the contract as it stands, which is closed. */
function assertPayload(notification: object): void {
  assertSchema("AddressActivityNotification", notification);
  expect(validateNotification(notification), JSON.stringify(validateNotification.errors)).toBe(true);
}

function answerOf(chainId: string, { block, receipts, traces }: BlockBundle, { method, params }: RpcCall): RpcAnswer {
  const wanted = ["latest", "finalized", block.number, block.hash].includes(params[0] as string);
  if (method === "eth_chainId") return { result: `0x${BigInt(chainId).toString(16)}` };
  if (/^eth_getBlockBy(Number|Hash)$/.test(method)) return { result: wanted ? block : null };
  if (method === "eth_getBlockReceipts") return { result: wanted ? receipts : null };
  if (method === "debug_traceBlockByHash") return { result: wanted ? traces : null };
  return { error: { code: -32601, message: `the method ${method} does not exist` } };
}

const webhook = (chainId: string) => ({
  url: "https://example.com/hook",
  chainId,
  eventType: "address_activity" as const,
  name: "",
  description: "",
  includeLogs: true,
  eventSignatures: [],
});

/** One without a profile. */
export const unknownChain = "5";
export const zero: Hex = `0x${"0".repeat(40)}`;

/** A copy of a recorded block to change, with its first transaction and that one's receipt. */
export function copyOf(name: string): { bundle: BlockBundle; transaction: WireTransaction; receipt: WireReceipt } {
  const bundle = structuredClone(recordedBundle(name));
  const [transaction, receipt] = [bundle.block.transactions[0], bundle.receipts[0]];
  if (!transaction || !receipt) throw new Error(`${name} is empty`);
  return { bundle, transaction, receipt };
}
