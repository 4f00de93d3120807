/**
 * What becomes of the service when four times as much is asked of its API as it can do: it runs as an operator starts it, all roles in
 * one process, follows a chain with a block every half second, and delivers. First the API's capacity is found, then it is exceeded by
 * requests that come whether answers do or not.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createWebhooksClient } from "../../../client/index.ts";
import { startEvmNode } from "../../../scripts/local/evm-node.ts";
import { startTemporaryPostgres } from "../../../scripts/local/postgres.ts";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { createPool } from "../../../server/store/pool.ts";
import { openChain } from "../../chain/local-chain.ts";
import { startReceiver } from "../../support/receiver.ts";
import { testChain, testChainId } from "../../support/service.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { message, start } from "../deliver/processes.ts";
import { quantile } from "../figures.ts";
import type { Load } from "./load.ts";
import type { Found, Scale } from "./world.ts";

const blockMs = 500;
const times = 4;

export async function overload({ seconds }: Scale): Promise<Found> {
  const [postgres, node, receiver] = await Promise.all([
    startTemporaryPostgres({ durable: true }),
    startEvmNode({ args: ["--no-mining"] }),
    startReceiver(),
  ]);
  const chain = await openChain(node.rpcUrl);
  const env = { MAX_CONCURRENT_REQUESTS: "40", WEBHOOK_QUOTA: "10000000", LOG_LEVEL: "info" };
  const service = await startServiceProcess(postgres.url, [{ ...testChain(node), traces: false, pollMs: 200 }], {
    env,
  });
  const baseUrl = await service.started;
  const pool = createPool(postgres.url);
  const { key } = await createKey(pool, { account: "bench", scopes: ["read", "write"] });
  await pool.end();
  const client = createWebhooksClient({ baseUrl, apiKey: key });
  while (!(await client.listChains()).chains[0]?.followedBlock) await sleep(50);
  const to = `0x${"5".padStart(40, "0")}`;
  const metadata = { addresses: [to] };
  const { id } = await client.createWebhook({
    body: { url: receiver.url, chainId: testChainId, eventType: "address_activity", metadata },
  });

  /** Mines a block now and then until it is stopped. @returns how long each notification took from its block, in ms */
  function mining(): () => Promise<number[]> {
    let goesOn = true;
    const work = async () => {
      const [from] = await chain.rpc<string[]>("eth_accounts");
      const took: Promise<number>[] = [];
      while (goesOn) {
        const hash = await chain.rpc<string>("eth_sendTransaction", [{ from, to, value: "0x1" }]);
        const minedAt = performance.now();
        await chain.rpc("evm_mine");
        const arrived = receiver.waitFor(
          1,
          ({ notification }) => notification.event.transaction.txHash === hash,
          60_000,
        );
        took.push(arrived.then(([delivered]) => (delivered?.receivedAt ?? Number.NaN) - minedAt));
        await sleep(blockMs);
      }
      return Promise.all(took);
    };
    const done = work();
    return () => {
      goesOn = false;
      return done;
    };
  }

  async function measure(load: string, ask: () => Promise<Load | undefined>) {
    const stop = mining();
    const found = await ask();
    const notified = await stop();
    const perSecond = (count = 0) => Math.round(count / (found?.seconds ?? 1));
    return {
      capacity: (found?.accepted ?? 0) / (found?.seconds ?? 1),
      row: {
        load,
        "asked /s": perSecond(found?.asked),
        "accepted /s": perSecond(found?.accepted),
        "refused /s": perSecond(found?.refused),
        failed: JSON.stringify(found?.failed ?? {}),
        "accepted p50 ms": found?.acceptedP50Ms ?? "",
        "accepted p99 ms": found?.acceptedP99Ms ?? "",
        "refused p50 ms": found?.refusedP50Ms ?? "",
        "refused p99 ms": found?.refusedP99Ms ?? "",
        notifications: notified.length,
        "notified p50 ms": quantile(notified, 0.5),
        "notified p99 ms": quantile(notified, 0.99),
      },
    };
  }
  const ask = async (connections: number, rate?: number) => {
    const args = [baseUrl, key, id, String(seconds), String(connections), ...(rate ? [String(rate)] : [])];
    return message<Load>(start("test/bench/api/load.ts", args), "load");
  };
  await ask(16);
  const rest = await measure("none", async () => void (await sleep(seconds * 1_000)));
  const full = await measure("as much as it can", () => ask(32));
  const rate = Math.round(full.capacity * times);
  const beyond = await measure(`${times} times as much`, () => ask(500, rate));
  service.signal("SIGTERM");
  await service.ended;
  await Promise.all([receiver.close(), node.stop(), postgres.stop()]);
  return {
    rows: [rest.row, full.row, beyond.row],
    says: [
      `${seconds} s each; one request in ten creates a webhook, the others read one. Latencies from when a request was due.`,
      "A notification's time is from its block to the endpoint; asker, service, node and database share the machine.",
    ],
  };
}
