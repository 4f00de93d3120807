/**
 * Preview, explanation and what is recorded to be sent, of a hundred webhooks of every kind that a recorded block notifies side by side: all
 * three say the same of a few hundred pairs of a webhook and a transaction, to the byte of the payload.
 */
import { pino } from "pino";
import { expect, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import type { components } from "../../generated/types.ts";
import { recordedBundle } from "../../scripts/local/recorded.ts";
import { startService } from "../../server/service.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { readLimits } from "../../server/settings/limits.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { beginAt, ensureChain, plainLane } from "../../server/store/chains/cursor.ts";
import { createPool, inTransaction } from "../../server/store/pool.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { recordedOf } from "../chain/notified.ts";
import { makeWebhooks, notificationsOf } from "../matching/many-webhooks.ts";
import type { NaiveWebhook } from "../matching/naive.ts";
import { createTestDatabase } from "../support/database.ts";
import { startRpcProxy } from "../support/rpc-proxy.ts";
import { seeded } from "../support/seeded.ts";
import { testConfig, unlimited } from "../support/service.ts";

const chainId = "1";
const bundle = recordedBundle("mainnet-traced/19933122");
const { block, receipts, traces } = bundle;
const count = 100;

type Created = { id: string; webhook: NaiveWebhook };

const metadataOf = ({ addresses, eventSignatures, includeInternalTxs, options = {} }: NaiveWebhook) =>
  ({
    ...(addresses.length > 0 && { addresses: [...addresses] }),
    ...{ eventSignatures: [...eventSignatures], includeInternalTxs, ...options },
  }) as components["schemas"]["WebhookMetadataInput"];

async function startWorld() {
  const [database, stub] = await Promise.all([createTestDatabase(), startRpcProxy()]);
  stub.answer = ({ method, params: [first] }) => {
    if (method === "eth_chainId") return { result: "0x1" };
    if (method === "eth_getTransactionByHash")
      return { result: block.transactions.find(({ hash }) => hash === first) ?? null };
    const isOurs = ["latest", "finalized", block.number, block.hash].includes(first as string);
    if (/^eth_getBlockBy(Number|Hash)$/.test(method)) return { result: isOurs ? block : null };
    if (method === "eth_getBlockReceipts") return { result: isOurs ? receipts : null };
    if (method === "debug_traceBlockByHash") return { result: isOurs ? traces : null };
    return { error: { code: -32601, message: `the method ${method} does not exist` } };
  };
  const pool = createPool(database.url);
  await ensureChain(pool, chainId);
  await beginAt(pool, plainLane(chainId), { number: Number(block.number) - 1, hash: block.parentHash });
  const { key } = await createKey(pool, { account: "test", scopes: ["read", "write"] });
  const chain = { chainId, name: "One block", rpcUrls: [stub.url], traces: true, pollMs: 20 };
  const limits = readLimits({ ...unlimited, ANY_ADDRESS_QUOTA: "1000" });
  const config = testConfig(database.url, [{ ...chain, finality: "finalized" }], {
    roles: new Set(["api", "follow"]),
    limits,
  });
  return {
    pool,
    async start() {
      const service = await startService(config, pino({ level: process.env.TEST_LOG ?? "silent" }));
      return { service, client: createWebhooksClient({ baseUrl: service.url ?? "", apiKey: key }) };
    },
    async stop() {
      await pool.end();
      await Promise.all([stub.close(), database.drop()]);
    },
  };
}

test("preview, explanation and notification agree on each webhook and transaction", { timeout: 900_000 }, async () => {
  const made = makeWebhooks(bundle, count, 7);
  const world = await startWorld();
  const { pool } = world;
  const created: Created[] = [];
  for (const webhook of made) {
    const { addresses, eventSignatures, includeInternalTxs, options = {} } = webhook;
    const common = { url: "https://example.com/hook", chainId, eventType: "address_activity" as const };
    const { id } = await inTransaction(pool, (db) =>
      createWebhook(
        db,
        1,
        {
          ...{
            ...common,
            name: "",
            description: "",
            includeLogs: false,
            includeInternalTxs,
            addresses,
            eventSignatures,
          },
          ...(Object.keys(options).length > 0 && { options }),
        },
        noKeys,
      ),
    );
    created.push({ id, webhook });
  }
  const { service, client } = await world.start();
  try {
    const expected = await notificationsOf(
      bundle,
      created.map(({ id, webhook }) => ({ ...webhook, id })),
    );
    const recorded = async () => (await pool.query("SELECT FROM notifications")).rowCount;
    await expect.poll(recorded).toBe(expected.size);
    const below = seeded(8);
    const reasons = new Map<string, number>();
    for (const { id, webhook } of created) {
      const sent = new Map((await recordedOf(pool, id)).map((one) => [one.transactionHash, JSON.stringify(one.event)]));
      const [first = ""] = sent.keys();
      const others = [below(block.transactions.length), below(block.transactions.length)];
      const hashes = [first, ...others.map((index) => block.transactions[index]?.hash ?? "")].filter(
        (hash) => hash !== "",
      );
      for (const txHash of new Set(hashes)) {
        const about = `${id} ${txHash}`;
        const [preview, explanation] = await Promise.all([
          client.previewWebhook({ body: { chainId, metadata: metadataOf(webhook), txHash } }),
          client.explainWebhook({ path: { id }, query: { txHash } }),
        ]);
        const [previewed] = preview.transactions;
        const event = previewed?.payload?.event;
        expect(event && JSON.stringify(event), about).toBe(sent.get(txHash));
        expect(explanation.notified, about).toBe(sent.has(txHash));
        expect(explanation.reason, about).toBe(sent.has(txHash) ? "notified" : previewed?.reason);
        expect(explanation.decidedBy, about).toEqual(previewed?.decidedBy);
        reasons.set(explanation.reason, (reasons.get(explanation.reason) ?? 0) + 1);
      }
    }
    for (const reason of ["notified", "condition_failed", "other_event", "not_watched"])
      expect(reasons.get(reason), reason).toBeGreaterThan(5);
    expect([...reasons.values()].reduce((a, b) => a + b, 0)).toBeGreaterThan(200);
  } finally {
    await service.stop();
    await world.stop();
  }
});
