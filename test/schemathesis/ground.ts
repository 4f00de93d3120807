/** What requests are generated against: the service as a process of its own, on a chain with activity. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { startEvmNode } from "../../scripts/local/evm-node.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool } from "../../server/store/pool.ts";
import { soon } from "../chain/chain-world.ts";
import { freshAddress, openChain } from "../chain/local-chain.ts";
import { createTestDatabase } from "../support/database.ts";
import { testChain } from "../support/service.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

/** The chain of the contract's examples, so that they are of a chain that is served. */
const chainId = "43114";
const patienceMs = 60_000;

/** Two accounts, and what a valid request of the first needs to know beyond the contract: see hooks.py. */
export type Accounts = {
  keys: { ours: string; theirs: string };
  known: {
    chainId: string;
    /** Where webhooks lead. */
    receiver: string;
    /** A range that has been followed. */
    blocks: [string, string];
    /** One that can be asked for. */
    notification: { id: string; messageId: string };
    /** Of that notification. */
    txHash: string;
  };
};

/** The service under test. */
export type Ground = {
  url: string;
  service: ServiceProcess;
  /** Makes two new accounts. @param name what their names begin with */
  openAccounts(name: string): Promise<Accounts>;
  stop(): Promise<void>;
};

/** Starts it. @param env environment variables of the service, beside those of a test */
export async function startGround(env: Record<string, string> = {}): Promise<Ground> {
  const [node, database, receiver] = await Promise.all([
    startEvmNode({ chainId: Number(chainId) }),
    createTestDatabase(),
    startSilentReceiver(),
  ]);
  const service = await startServiceProcess(database.url, [{ ...testChain(node), chainId, pollMs: 500 }], {
    env: { LOG_LEVEL: "info", ...env },
  });
  const url = await service.started;
  const chain = await openChain(node.rpcUrl);
  await chain.mine(5);

  let transfers: Promise<unknown> = Promise.resolve();
  return {
    url,
    service,
    async openAccounts(name) {
      const pool = createPool(database.url);
      const keyOf = async (account: string) => (await createKey(pool, { account, scopes: ["read", "write"] })).key;
      const keys = { ours: await keyOf(`${name}-ours`), theirs: await keyOf(`${name}-theirs`) };
      await pool.end();
      const client = createWebhooksClient({ baseUrl: url, apiKey: keys.ours });
      const followed = async () => Number((await client.listChains()).chains[0]?.followedBlock ?? 0);
      await soon(async () => expect(await followed()).toBeGreaterThanOrEqual(5), patienceMs);
      const watched = freshAddress();
      const { id } = await client.createWebhook({
        body: { url: receiver.url, chainId, eventType: "address_activity", metadata: { addresses: [watched] } },
      });
      // One after the other, since all are sent by one account of the node.
      transfers = transfers.then(() => chain.transfer(watched));
      await transfers;
      const [first] = await soon(async () => {
        const { notifications } = await client.listNotifications({ path: { id } });
        expect(notifications.length).toBe(1);
        return notifications;
      }, patienceMs);
      const notification = { id, messageId: first?.messageId ?? "" };
      const txHash = first?.txHash ?? "";
      return { keys, known: { chainId, receiver: receiver.url, blocks: ["1", "5"], notification, txHash } };
    },
    async stop() {
      service.signal("SIGTERM");
      await service.ended;
      await Promise.all([node.stop(), receiver.close(), database.drop()]);
    },
  };
}

/** An endpoint that accepts whatever comes and keeps nothing of it. */
async function startSilentReceiver(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void request.resume().on("end", () => response.end()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
