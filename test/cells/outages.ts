/** What fails, and who may notice. Each begins with SIGKILL. */
import { expect } from "vitest";
import { plainLane, readCursor } from "../../server/store/chains/cursor.ts";
import { soon } from "../chain/chain-world.ts";
import { freshAddress } from "../chain/local-chain.ts";
import { testChainId } from "../support/service.ts";
import { type Cell, processRoles } from "./cell.ts";
import type { CellsWorld } from "./cells-world.ts";

type Dice = (below: number) => number;

export type Outage = {
  name: string;
  /** Whose accounts may notice: those of the cell that it hits, those that call by HAProxy, or nobody's. */
  noticedBy: "cell" | "haproxy" | "nobody";
  /** @param cell the one that it hits @param meanwhile what happens until everything is started again */
  run(world: CellsWorld, options: { cell: Cell; dice: Dice; meanwhile: () => Promise<void> }): Promise<void>;
};

export const outages: readonly Outage[] = [
  {
    name: "a cell's PostgreSQL",
    noticedBy: "cell",
    run: (_world, { cell, meanwhile }) => cell.withoutDatabase(meanwhile),
  },
  {
    name: "all processes of a cell",
    noticedBy: "cell",
    async run(_world, { cell, meanwhile }) {
      await cell.kill();
      await meanwhile();
      await cell.start();
    },
  },
  {
    name: "one process of a cell",
    noticedBy: "cell",
    async run(_world, { cell, dice, meanwhile }) {
      await cell.kill(processRoles.slice(dice(2)).slice(0, 1));
      await meanwhile();
      await cell.start();
    },
  },
  {
    name: "a NATS server",
    noticedBy: "nobody",
    async run({ nats }, { dice, meanwhile }) {
      const server = nats[dice(nats.length)];
      await server?.kill();
      await meanwhile();
      await server?.start();
    },
  },
  {
    name: "all NATS servers",
    noticedBy: "nobody",
    async run({ nats }, { meanwhile }) {
      await Promise.all(nats.map((server) => server.kill()));
      await meanwhile();
      await Promise.all(nats.map((server) => server.start()));
    },
  },
  {
    name: "the reader that publishes",
    noticedBy: "nobody",
    async run({ readers }, { meanwhile }) {
      await readers.kill("publishing");
      await meanwhile();
      await readers.start();
    },
  },
  {
    name: "both readers",
    noticedBy: "nobody",
    async run({ readers }, { meanwhile }) {
      await readers.kill("both");
      await meanwhile();
      await readers.start();
    },
  },
  {
    name: "HAProxy",
    noticedBy: "haproxy",
    async run({ proxies }, { meanwhile }) {
      await proxies.haproxy.kill();
      await meanwhile();
      await proxies.haproxy.start();
    },
  },
  {
    name: "all processes of a cell, for a thousand blocks",
    noticedBy: "cell",
    async run({ chain, mining }, { cell, meanwhile }) {
      await cell.kill();
      await mining.between(() => chain.mine(500));
      await meanwhile();
      await mining.between(() => chain.mine(500));
      const calls = cell.proxy.count("eth_getBlockReceipts");
      await cell.start();
      const { number } = await chain.head();
      await soon(async () => {
        const { cursor } = await readCursor(cell.pool, plainLane(testChainId));
        expect(cursor?.number).toBeGreaterThanOrEqual(number);
      }, 60_000);
      // They came from the stream.
      expect(cell.proxy.count("eth_getBlockReceipts")).toBe(calls);
    },
  },
];

/** Replaces the newest blocks, with transfers to some of what is watched on the new branch. */
export async function reorganise({ accounts, chain, mining }: CellsWorld, dice: Dice): Promise<void> {
  const depth = 1 + dice(8);
  const watched = accounts.flatMap(({ webhooks }) => webhooks.flatMap(({ addresses }) => addresses));
  const places = Array.from({ length: depth }, (_, at) => at).filter(() => dice(2) === 0);
  const transfers = places.slice(0, 4).map((at) => ({ to: watched[dice(watched.length)] ?? freshAddress(), at }));
  await mining.between(() => chain.reorg(depth, transfers));
}
