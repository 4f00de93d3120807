/** `accounts move` under load, killed at each of its steps; then run again, or undone. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { soon } from "../chain/chain-world.ts";
import { type Account, type CellsWorld, cellNames } from "./cells-world.ts";
import { run, runUntil } from "./commands.ts";

/** What the command prints after each of its steps. */
const undoable = [
  /addresses are copied/,
  /may have to be retracted are copied/,
  /changes are refused/,
  /The account is copied/,
  /records nothing for the account any more/,
];
const final = [/ has left the account to /, / records for the account\./, / answers for the account\./];

/** Moves an account to the other cell by a command that is killed after each step. @param between is waited for after each kill */
export async function moveKilled(world: CellsWorld, account: Account, between: () => Promise<void>): Promise<void> {
  await whileRenaming(world, account, async () => {
    for (const killedAt of [...undoable, ...final]) {
      await killed(world, account, { killedAt });
      await between();
    }
    await complete(world, account);
  });
}

/** Each move is killed after one of its steps, and undone. Then the account moves. @param between is waited for after each kill */
export async function moveUndone(world: CellsWorld, account: Account, between: () => Promise<void>): Promise<void> {
  await whileRenaming(world, account, async () => {
    for (const killedAt of undoable) {
      await killed(world, account, { killedAt });
      await between();
      const { code, output } = await runUntil([...argumentsOf(account), "--abort"], environment(world, account));
      expect(output).toMatch(/^The move is undone\./m);
      expect(code).toBe(0);
      await soon(async () => world.api(account, "GET", "/v1/webhooks"));
    }
    await complete(world, account);
  });
}

const argumentsOf = ({ name }: Account) => ["accounts", "move", name, "--to", "env:NEW_CELL"];
const otherCell = ({ cell }: Account) => (cell === "a" ? "b" : "a");

function environment({ cells }: CellsWorld, account: Account): Record<string, string> {
  const { databaseUrl: DATABASE_URL } = cells[account.cell];
  return { CELL: account.cell, DATABASE_URL, NEW_CELL: cells[otherCell(account)].databaseUrl };
}

async function killed(world: CellsWorld, account: Account, { killedAt }: { killedAt: RegExp }): Promise<void> {
  const { signal, output } = await runUntil(argumentsOf(account), environment(world, account), { killedAt });
  expect(output).toMatch(killedAt);
  // After its last sentence it may end by itself before the signal comes.
  if (killedAt !== final.at(-1)) expect(signal).toBe("SIGKILL");
}

async function complete(world: CellsWorld, account: Account): Promise<void> {
  const output = await run(argumentsOf(account), environment(world, account));
  account.cell = otherCell(account);
  expect(output).toMatch(new RegExp(`^${account.name} is in `, "m"));
  await world.writeMap();
  await soon(async () => world.api(account, "GET", "/v1/webhooks"));
}

/** The account changes a webhook all the time. What was confirmed holds after the move. */
async function whileRenaming(world: CellsWorld, account: Account, work: () => Promise<void>): Promise<void> {
  const [webhook] = account.webhooks;
  const path = `/v1/webhooks/${webhook?.id}`;
  let [sent, confirmed, going] = [0, 0, true];
  const renaming = (async () => {
    while (going) {
      sent += 1;
      const name = `${sent}`;
      await world
        .api(account, "PATCH", path, { name })
        .then(() => {
          confirmed = sent;
        })
        .catch((error: Error) => expect(error.message).toMatch(/: 503 /));
      await sleep(50);
    }
  })();
  try {
    await work();
  } finally {
    going = false;
    await renaming;
  }
  const { name } = await world.api<{ name: string }>(account, "GET", path);
  expect(confirmed).toBeGreaterThan(0);
  expect(Number(name)).toBeGreaterThanOrEqual(confirmed);
  expect(cellNames).toContain(account.cell);
}
