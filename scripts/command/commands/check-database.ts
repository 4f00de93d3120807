/** Checks that what calls itself PostgreSQL keeps what the service relies on. */
import { waitForSignal } from "../../../server/base/shutdown-signal.ts";
import { isDatabaseUnavailable } from "../../../server/store/database-errors.ts";
import { assertExists, connectDatabase } from "../../../server/store/open.ts";
import type { Pool } from "../../../server/store/pool.ts";
import { createOwnSchema, dropLeftovers } from "../check-database/own-schema.ts";
import { checkPositions } from "../check-database/positions.ts";
import { type DatabaseFinding, serverChecks } from "../check-database/server-checks.ts";
import { CommandError, type CommandOptions, noOperands, runCommand, wholeNumberOption } from "../command-line.ts";
import { colouredState } from "../terminal.ts";
import { databasePlace } from "../with-database.ts";

const options = {
  seconds: { type: "string", default: "10", value: "N", help: "How long to write and read positions, from 1 to 3600." },
} as const satisfies CommandOptions;

/** What `check-database` takes. */
export const command = {
  intro: `Check that a PostgreSQL keeps what the service relies on: before you use a managed service, a fork or a pooler.

Usage:
  chain-webhooks-service check-database [--seconds N]`,
  options,
  notes: `It writes notifications and reads them as the service does. Nobody may read a position before every notification up to it. It works in
a schema of its own, chain_webhooks_check_…, which it drops at the end. The next run removes what a killed one left, two minutes
after that one's time. Other data is not touched. The user needs CREATE on the database.

The command uses the database of DATABASE_URL, or the embedded one of DATA_DIR, and says which. It creates none.

Exit codes: 0 if everything holds, also if something is only slow, 1 if a check fails, 2 for a wrong argument.`,
};
const leftoverSeconds = 120;

/** Runs `check-database`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    noOperands(positionals);
    const seconds = wholeNumberOption("seconds", values.seconds, { from: 1, to: 3_600 });
    const place = databasePlace();
    await assertExists(place);
    const database = await connectDatabase({
      ...place,
      name: "chain-webhooks check-database",
      onError: () => undefined,
    });
    const interrupt = waitForSignal();
    const stop = new AbortController();
    void interrupt.received.then(() => stop.abort());
    try {
      return await check(database.pool, seconds, stop.signal);
    } finally {
      interrupt.ignore();
      await database.close();
    }
  });
}

async function check(pool: Pool, seconds: number, interrupted: AbortSignal): Promise<number> {
  let failed = 0;
  const report = (name: string, { result, text }: DatabaseFinding) => {
    if (result === "fails") failed += 1;
    console.log(`${colouredState(result.padEnd(5))}  ${name.padEnd(19)}  ${text}`);
  };
  await pool.query("SELECT 1").catch((error: unknown) => {
    throw isDatabaseUnavailable(error) ? new CommandError(`The database cannot be opened: ${reasonOf(error)}.`) : error;
  });
  for (const [name, run] of Object.entries(serverChecks)) {
    if (interrupted.aborted) break;
    report(name, await run(pool).catch(failure));
  }
  if (!interrupted.aborted) report("positions", await positions(pool, seconds, interrupted).catch(failure));
  if (interrupted.aborted) throw new CommandError("The check was interrupted.");
  if (failed === 0) return 0;
  console.error(
    `${failed} of ${Object.keys(serverChecks).length + 1} checks failed. Do not run the service on this database.`,
  );
  return 1;
}

async function positions(pool: Pool, seconds: number, interrupted: AbortSignal): Promise<DatabaseFinding> {
  const leftovers = await dropLeftovers(pool);
  if (leftovers > 0) console.error(`Removed ${leftovers} schemas that killed checks left.`);
  const { inSchema, drop } = await createOwnSchema(pool, seconds + leftoverSeconds);
  try {
    // A combined signal that is only polled may lose its time-out to the garbage collector, and then never ends.
    const endsAt = performance.now() + seconds * 1_000;
    const isOver = () => interrupted.aborted || performance.now() > endsAt;
    const { written, reads, violation } = await checkPositions(inSchema, isOver);
    if (violation !== undefined) return { result: "fails", text: violation };
    if (written === 0 || reads === 0) return { result: "fails", text: "nothing was written or read in time" };
    return { result: "holds", text: `${written} notifications and ${reads} reads, none ahead of what was visible` };
  } finally {
    await drop();
  }
}

const failure = (error: unknown): DatabaseFinding => ({ result: "fails", text: reasonOf(error) });
const reasonOf = (error: unknown) => (error instanceof Error && error.message) || String(error);
