/**
 * Two cells behind HAProxy and nginx, three NATS servers, two readers and one chain, as docs/cells.md has them: real programs, which are
 * killed and started again. Accounts in both cells call the API and receive notifications all the time.
 */
import { rm } from "node:fs/promises";
import { expect } from "vitest";
import type { components } from "../../generated/types.ts";
import { startEvmNode } from "../../scripts/local/evm-node.ts";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { soon } from "../chain/chain-world.ts";
import { keepMining, type Mining } from "../chain/keep-mining.ts";
import { freshAddress, type LocalChain, openChain } from "../chain/local-chain.ts";
import { type NatsServer, startNatsCluster } from "../support/nats-server.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { seeded } from "../support/seeded.ts";
import { testChainId } from "../support/service.ts";
import { type Callers, callApi, startCalling } from "./callers.ts";
import { type Cell, type CellName, startCell } from "./cell.ts";
import { type Front, startFront } from "./front.ts";
import { type Readers, startReaders } from "./readers.ts";
import type { Watching } from "./received.ts";

export const cellNames = ["a", "b"] as const;
/** An account of each cell that stays, and one that moves. */
export type Account = { name: string; key: string; cell: CellName; webhooks: Watching[] };

export type CellsWorld = Front & {
  cells: Record<CellName, Cell>;
  nats: NatsServer[];
  readers: Readers;
  chain: LocalChain;
  mining: Mining;
  receiver: Receiver;
  accounts: Account[];
  callers: Callers;
  /** Calls the API by HAProxy. @returns the body of the answer @throws unless it is a success */
  api<T>(account: Account, method: string, path: string, body?: unknown): Promise<T>;
  stop(): Promise<void>;
};

export async function startCellsWorld(seed: number): Promise<CellsWorld> {
  const janitor = await sharedJanitor();
  const folder = janitor.makeFolder("chain-webhooks-cells-");
  const [node, nats, receiver] = await Promise.all([startEvmNode(), startNatsCluster(), startReceiver()]);
  const chain = await openChain(node.rpcUrl);
  await chain.mine(3);
  const blocks = `nats://${nats.map(({ port }) => `127.0.0.1:${port}`).join()}`;
  const options = { nodeUrl: node.rpcUrl, blocks };
  const readers = await startReaders(options);
  const [a, b] = await Promise.all(cellNames.map((name) => startCell(name, options)));
  if (!a || !b) throw new Error("two cells are needed");
  const cells = { a, b };
  await Promise.all([a.start(), b.start()]);

  const accounts = await Promise.all(
    (["stays in a", "stays in b", "moves"] as const).map(async (name): Promise<Account> => {
      const cell = name === "stays in b" ? "b" : "a";
      return { name, cell, key: await cells[cell].createKey(name), webhooks: [] };
    }),
  );
  const front = await startFront(
    folder,
    cellNames.map((name) => cells[name]),
  );
  const api: CellsWorld["api"] = ({ key }, method, path, body) =>
    callApi(front, key, { method, path, ...(body !== undefined && { body }) });
  await soon(async () => {
    for (const account of accounts) {
      const { chains } = await api<{ chains: { followedBlock?: string }[] }>(account, "GET", "/v1/chains");
      expect(chains[0]?.followedBlock).toBeDefined();
    }
  }, 60_000);
  // The blocks at which the cells begin are final from now on, as moving an account demands.
  await chain.mine(20);
  // Every account watches it, so that each of its transactions is notified by both cells.
  const common = freshAddress();
  for (const account of accounts)
    for (const kind of ["plain", "traced"] as const)
      account.webhooks.push(await watch({ api, receiver }, account, { kind, addresses: [freshAddress(), common] }));
  const watched = [...new Set(accounts.flatMap(({ webhooks }) => webhooks.flatMap(({ addresses }) => addresses)))];
  const mining = keepMining(chain, { addresses: watched, random: seeded(seed), pauseMs: [40, 120] });
  const callers = startCalling(
    accounts.map(({ name, key }) => ({ account: name, key })),
    front,
  );

  return {
    ...{ ...front, cells, nats, readers, chain, mining, receiver, accounts, callers, api },
    async stop() {
      await Promise.all([mining.stop(), callers.stop()]);
      await Promise.all(Object.values(front.proxies).map((proxy) => proxy.kill()));
      await Promise.all([a.stop(), b.stop(), readers.stop()]);
      await Promise.all([node.stop(), receiver.close(), ...nats.map((server) => server.stop())]);
      await rm(folder, { recursive: true });
      janitor.forgetFolder(folder);
    },
  };
}

/** Creates a webhook with an endpoint of its own. */
async function watch(
  { api, receiver }: Pick<CellsWorld, "api" | "receiver">,
  account: Account,
  { kind, addresses }: { kind: "plain" | "traced"; addresses: string[] },
): Promise<Watching> {
  const path = `/${account.name.replaceAll(" ", "-")}/${kind}`;
  const { id, effectiveFromBlock } = await api<components["schemas"]["Webhook"]>(account, "POST", "/v1/webhooks", {
    url: `${receiver.url}${path}`,
    chainId: testChainId,
    eventType: "address_activity",
    metadata: { addresses, includeInternalTxs: kind === "traced", includeLogs: true },
  });
  const { secret } = await api<{ secret: string }>(account, "GET", `/v1/webhooks/${id}/secret`);
  return { id, path, secret, addresses, from: Number(effectiveFromBlock) };
}
