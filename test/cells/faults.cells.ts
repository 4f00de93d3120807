/**
 * Two cells, of which everything is killed in turn, while blocks come, leave the chain, and accounts call the API. Every notification of every
 * account arrives, and who is not hit notices nothing. `CELLS_SEED=7 CELLS_ROUNDS=5 npm run test:more cells` runs in another order, and longer.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { soon } from "../chain/chain-world.ts";
import { seeded } from "../support/seeded.ts";
import { type Books, type Mark, openBooks } from "./books.ts";
import { type Account, type CellsWorld, cellNames, startCellsWorld } from "./cells-world.ts";
import { moveKilled, moveUndone } from "./killed-moves.ts";
import { type Outage, outages, reorganise } from "./outages.ts";

const seed = Number(process.env.CELLS_SEED ?? Math.floor(Math.random() * 1_000_000));
const rounds = Number(process.env.CELLS_ROUNDS ?? 1);
const dice = seeded(seed);

let world: CellsWorld;
let books: Books;
/** From a block to its notification while nothing is away, in ms. */
let usualMs: number;
beforeAll(async () => {
  world = await startCellsWorld(seed);
  books = openBooks(world);
  const mark = books.mark();
  await books.goOn(world.accounts, mark);
  await books.balance();
  usualMs = await books.assertUnaffected(world.accounts, mark, ["haproxy", "nginx"]);
});
afterAll(() => world?.stop());
afterEach(async () => {
  const { cells, readers } = world;
  expect([...cells.a.complaints(), ...cells.b.complaints(), ...readers.complaints()]).toEqual([]);
});

const moves = [
  { name: "a move of an account is killed at each step, and run again", run: moveKilled },
  { name: "a move of an account is killed at each step, and undone; then it moves", run: moveUndone },
];

for (let round = 0; round < rounds; round += 1)
  for (const scenario of shuffled([...outages, ...moves]))
    if ("noticedBy" in scenario)
      test(`SIGKILL for ${scenario.name}, while blocks leave the chain: nothing is lost (CELLS_SEED=${seed})`, () =>
        outage(scenario));
    else
      test(`${scenario.name}: nothing is lost (CELLS_SEED=${seed})`, async () => {
        const [others, moving] = [world.accounts.slice(0, 2), world.accounts.slice(2)];
        const mark = books.mark();
        const from = performance.now();
        for (const account of moving) {
          await scenario.run(world, account, () => reorganise(world, dice));
          await books.balance();
          // The moving account waits, and is never refused for another reason.
          expectServedOrAway(account, mark);
        }
        const lastedMs = performance.now() - from;
        expectUsual(await books.assertUnaffected(others, mark, ["haproxy", "nginx"]), lastedMs);
      });

async function outage({ noticedBy, run }: Outage): Promise<void> {
  const cell = world.cells[cellNames[dice(2)] ?? "a"];
  const others = world.accounts.filter((account) => noticedBy !== "cell" || account.cell !== cell.name);
  const hit = world.accounts.filter((account) => !others.includes(account));
  const proxies = noticedBy === "haproxy" ? (["nginx"] as const) : (["haproxy", "nginx"] as const);
  const mark = books.mark();
  const from = performance.now();
  await run(world, {
    ...{ cell, dice },
    async meanwhile() {
      await reorganise(world, dice);
      await books.goOn(others, books.mark());
    },
  });
  const lastedMs = performance.now() - from;
  await reorganise(world, dice);
  await books.goOn(world.accounts, books.mark());
  await books.balance();
  for (const account of hit) expectServedOrAway(account, mark);
  const medianMs = await books.assertUnaffected(others, mark, proxies);
  // What all cells share delays them all: NATS elects a leader, or cells turn to their nodes, within seconds.
  if (noticedBy !== "nobody") expectUsual(medianMs, lastedMs);
  await returned();
}

function expectServedOrAway(account: Account, since: Mark): void {
  expect([...books.statuses(account, since)].filter((status) => status !== 200 && status !== 503)).toEqual([]);
}

/** @param lastedMs how long the other cell was away */
function expectUsual(medianMs: number, lastedMs: number): void {
  // Who waits for the other cell waits for half of that. Starting processes and catching up beside it cost processor time, as of 2 cores.
  expect(medianMs).toBeLessThan(Math.max(2 * usualMs + 1_500, lastedMs / 4));
}

/** Everybody is served by both proxies, and blocks come from the stream. */
async function returned(): Promise<void> {
  const mark = books.mark();
  await soon(async () => {
    for (const account of world.accounts) {
      expect(books.lastStatuses(account, mark)).toEqual({ haproxy: 200, nginx: 200 });
      const { chains } = await world.api<{ chains: { blocksFrom: string }[] }>(account, "GET", "/v1/chains");
      expect(chains.map(({ blocksFrom }) => blocksFrom)).toEqual(["stream"]);
    }
  }, 30_000);
}

function shuffled<T>(all: readonly T[]): T[] {
  const left = [...all];
  return all.flatMap(() => left.splice(dice(left.length), 1));
}
