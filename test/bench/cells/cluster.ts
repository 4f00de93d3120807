/** Cells on one chain: a node, the NATS server and the reader that bring its blocks, and an endpoint, as processes of their own. */
import { setTimeout as sleep } from "node:timers/promises";
import { startEvmNode } from "../../../scripts/local/evm-node.ts";
import { openChain } from "../../chain/local-chain.ts";
import { startNatsServer } from "../../support/nats-server.ts";
import { startRpcProxy } from "../../support/rpc-proxy.ts";
import { testChain } from "../../support/service.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { cpuMs, startBenchReceiver } from "../deliver/processes.ts";
import { asServed, startCell } from "./cell.ts";

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/** Processor time so far, in ms. */
export type Costs = { service: number; database: number; nats: number; reader: number };

export type Size = { cells: number; stream: boolean };

/** Every cell has so many webhooks, which all watch `busyAddress`. */
export async function openCluster({ cells: count, stream }: Size, webhooks: number) {
  const [node, receiver, nats] = await Promise.all([
    startEvmNode({ args: ["--no-mining"] }),
    startBenchReceiver(),
    stream ? startNatsServer() : undefined,
  ]);
  const proxy = await startRpcProxy(node.rpcUrl);
  const rpc = await openChain(node.rpcUrl);
  const [from] = await rpc.rpc<string[]>("eth_accounts");
  // Blocks are announced, so that waiting for the next poll is in no figure.
  const chain = { ...testChain({ rpcUrl: proxy.url }), wsUrl: proxy.wsUrl, pollMs: 10_000, traces: false };
  await rpc.rpc("evm_mine");
  const readerEnv = { ...asServed, ROLES: "read", BLOCKS: nats?.url ?? "" };
  const reader = nats && (await startServiceProcess("", [chain], { env: readerEnv }));
  await reader?.started;
  const names = Array.from({ length: count }, (_, n) => `cell-${n + 1}`);
  const cells = await Promise.all(names.map((name) => startCell(name, chain, nats?.url)));

  /** Makes a block of as many transfers to an address. @returns its number, and when the node was asked for it */
  async function mine(transfers: number, to: string): Promise<{ number: number; askedAt: number }> {
    for (let sent = 0; sent < transfers; sent += 1) await rpc.rpc("eth_sendTransaction", [{ from, to, value: "0x1" }]);
    const askedAt = performance.now();
    await rpc.rpc("evm_mine");
    const { number } = await rpc.head();
    return { number, askedAt };
  }

  async function followed({ number }: { number: number }): Promise<void> {
    for (const cell of cells) while ((await cell.followed()).number < number) await sleep(20);
  }

  // Until each cell is where the blocks come from, and stays there.
  do await followed(await mine(0, busyAddress));
  while (stream && !(await Promise.all(cells.map((cell) => cell.followed()))).every(({ streamed }) => streamed));
  await Promise.all(cells.map((cell) => cell.watch(busyAddress, `${receiver.url}/hook`, webhooks)));
  await followed(await mine(0, busyAddress));

  const arrived = async () => (await receiver.tally()).requests;
  const recorded = async () => (await Promise.all(cells.map((cell) => cell.attempted()))).reduce((a, b) => a + b);
  return {
    cells,
    proxy,
    mine,
    /**
     * Makes blocks with so many transfers each, a block each period, and waits until all of their notifications are delivered and
     * on record in each cell.
     *
     * @returns how many these were
     */
    async deliver({ blocks, transfers, periodMs }: { blocks: number; transfers: number; periodMs: number }) {
      const deliveries = blocks * transfers * webhooks * count;
      const [arrivedBefore, recordedBefore] = [await arrived(), await recorded()];
      const startedAt = performance.now();
      for (let block = 1; block <= blocks; block += 1) {
        await mine(transfers, busyAddress);
        await sleep(Math.max(0, startedAt + block * periodMs - performance.now()));
      }
      // Counting rows is work for PostgreSQL, so that waits until everything has arrived.
      while ((await arrived()) < arrivedBefore + deliveries) await sleep(20);
      while ((await recorded()) < recordedBefore + deliveries) await sleep(50);
      return deliveries;
    },
    costs(): Costs {
      const each = cells.map((cell) => cell.cpuMs());
      return {
        service: each.reduce((sum, cell) => sum + cell.service, 0),
        database: each.reduce((sum, cell) => sum + cell.database, 0),
        nats: nats ? (cpuMs(nats.pid) ?? Number.NaN) : 0,
        reader: reader ? (cpuMs(reader.pid) ?? Number.NaN) : 0,
      };
    },
    async stop(): Promise<void> {
      reader?.signal("SIGTERM");
      await reader?.ended;
      await Promise.all(cells.map((cell) => cell.stop()));
      await proxy.close();
      await Promise.all([receiver.stop(), node.stop(), nats?.stop()]);
    },
  };
}

/** What all webhooks watch but the one whose latency is measured. */
export const busyAddress = `0x${"b".padStart(40, "0")}`;
