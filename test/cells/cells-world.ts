/**
 * Two cells behind HAProxy and nginx, three NATS servers, two readers and one chain, as docs/cells.md has them: real programs, which are
 * killed and started again. Accounts in both cells call the API and receive notifications all the time.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEvmNode } from "../../scripts/local/evm-node.ts";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { soon } from "../chain/chain-world.ts";
import { keepMining, type Mining } from "../chain/keep-mining.ts";
import { freshAddress, type LocalChain, openChain } from "../chain/local-chain.ts";
import { type CellProxy, type ProxyName, startProxy } from "../operations/cell-proxies.ts";
import { makeAuthority } from "../operations/certificates.ts";
import { freePort } from "../support/free-port.ts";
import { type NatsServer, startNatsCluster } from "../support/nats-server.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { seeded } from "../support/seeded.ts";
import { testChainId } from "../support/service.ts";
import { type Callers, callApi, startCalling } from "./callers.ts";
import { type Cell, type CellName, startCell } from "./cell.ts";
import { run } from "./commands.ts";
import { type Readers, startReaders } from "./readers.ts";
import type { Watching } from "./received.ts";

export const cellNames = ["a", "b"] as const;
/** An account of each cell that stays, and one that moves. */
export type Account = { name: string; key: string; cell: CellName; webhooks: Watching[] };

export type CellsWorld = {
  cells: Record<CellName, Cell>;
  nats: NatsServer[];
  readers: Readers;
  proxies: ReadonlyMap<ProxyName, CellProxy>;
  chain: LocalChain;
  mining: Mining;
  receiver: Receiver;
  accounts: Account[];
  callers: Callers;
  /** Writes the proxies' map, and has them read it. */
  writeMap(): Promise<void>;
  api<T>(account: Account, method: string, path: string, body?: unknown): Promise<T>;
  stop(): Promise<void>;
};

export async function startCellsWorld(seed: number): Promise<CellsWorld> {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-cells-"));
  const janitor = await sharedJanitor();
  janitor.watchFolder(folder);
  const [node, nats, receiver] = await Promise.all([startEvmNode(), startNatsCluster(), startReceiver()]);
  const chain = await openChain(node.rpcUrl);
  // The blocks at which the cells begin are final, as moving an account demands.
  await chain.mine(3);
  const options = { nodeUrl: node.rpcUrl, blocks: nats.map(({ url }) => url.replace("nats://", "")).join() };
  const blocks = `nats://${options.blocks}`;
  const readers = await startReaders({ ...options, blocks });
  const [a, b] = await Promise.all(cellNames.map((name) => startCell(name, { ...options, blocks })));
  if (!a || !b) throw new Error("two cells are needed");
  const cells = { a, b };
  await Promise.all([a.start(), b.start()]);

  const places = cellNames.map((name) => ({ name, databaseUrl: cells[name].databaseUrl }));
  await writeFile(join(folder, "cells.json"), JSON.stringify(places));
  const maps = ["--haproxy", join(folder, "cells.map"), "--nginx", join(folder, "nginx.map")];
  const proxies = new Map<ProxyName, CellProxy>();
  const writeMap = async () => {
    await run(["cells", "map", ...maps], { CELLS: `@${join(folder, "cells.json")}` });
    for (const { reload } of proxies.values()) reload();
  };
  const accounts = await Promise.all(
    (["stays in a", "stays in b", "moves"] as const).map(async (name): Promise<Account> => {
      const cell = name === "stays in b" ? "b" : "a";
      return { name, cell, key: await cells[cell].createKey(name), webhooks: [] };
    }),
  );
  await writeMap();
  const authority = await makeAuthority(folder);
  // One process of each cell is away all the time.
  const dead = await freePort();
  const addresses = Object.fromEntries(
    Object.entries({ "10.0.1.11": a.port, "10.0.1.12": dead, "10.0.2.11": b.port, "10.0.2.12": dead }).map(
      ([host, port]) => [`${host}:3000`, `127.0.0.1:${port}`],
    ),
  );
  for (const name of ["haproxy", "nginx"] as const)
    proxies.set(name, await startProxy(name, { folder, authority, addresses }));
  const [haproxy] = proxies.values();
  if (!haproxy) throw new Error("there is no proxy");
  const api = <T>({ key }: Account, method: string, path: string, body?: unknown) =>
    callApi<T>({ proxy: haproxy, authority: authority.cert }, key, {
      method,
      path,
      ...(body !== undefined && { body }),
    });

  await soon(async () => {
    for (const account of accounts) await api(account, "GET", "/v1/webhooks");
    for (const name of cellNames)
      await cells[name].pool.query("SELECT 1 / count(*) FROM chain_lanes WHERE cursor_number >= 0");
  }, 60_000);
  await chain.mine(20);
  // Every account watches it, so that each of its transactions is notified by both cells.
  const common = freshAddress();
  for (const account of accounts)
    for (const includeInternalTxs of [false, true]) {
      const path = `/${account.name.replaceAll(" ", "-")}/${includeInternalTxs ? "traced" : "plain"}`;
      const own = [freshAddress(), ...(includeInternalTxs ? [common] : [])];
      const { id, effectiveFromBlock } = await api<{ id: string; effectiveFromBlock: string }>(
        account,
        "POST",
        "/v1/webhooks",
        {
          url: `${receiver.url}${path}`,
          chainId: testChainId,
          eventType: "address_activity",
          metadata: { addresses: own, includeInternalTxs, includeLogs: true },
        },
      );
      const { secret } = await api<{ secret: string }>(account, "GET", `/v1/webhooks/${id}/secret`);
      account.webhooks.push({ id, path, secret, addresses: own, from: Number(effectiveFromBlock) });
    }
  const watched = [...new Set(accounts.flatMap(({ webhooks }) => webhooks.flatMap(({ addresses }) => addresses)))];
  const mining = keepMining(chain, { addresses: watched, random: seeded(seed), pauseMs: [40, 120] });
  const callers = startCalling(
    accounts.map(({ name, key }) => ({ account: name, key })),
    { proxies, authority: authority.cert },
  );

  return {
    ...{ cells, nats, readers, proxies, chain, mining, receiver, accounts, callers, writeMap, api },
    async stop() {
      await Promise.all([mining.stop(), callers.stop()]);
      await Promise.all([...proxies.values()].map((proxy) => proxy.kill()));
      await Promise.all([a.stop(), b.stop(), readers.stop()]);
      await Promise.all([node.stop(), receiver.close(), ...nats.map((server) => server.stop())]);
      await rm(folder, { recursive: true });
      janitor.forgetFolder(folder);
    },
  };
}
