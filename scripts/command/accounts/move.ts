/** `accounts move`: what an operator gives, and what is printed. The move itself is server/store/moves/. */

import { plainMessage } from "../../../server/base/errors.ts";
import { databaseUrl, readKeyring } from "../../../server/settings/config.ts";
import { nameOfDatabase } from "../../../server/settings/database-url.ts";
import { isDatabaseUnavailable, isDenied } from "../../../server/store/database-errors.ts";
import { abortMove } from "../../../server/store/moves/abort.ts";
import { moveAccount } from "../../../server/store/moves/move-account.ts";
import { passOn } from "../../../server/store/moves/pass-on.ts";
import { countPending, type Plan, planMove } from "../../../server/store/moves/plan.ts";
import { accountIdOf, type Cells } from "../../../server/store/moves/record.ts";
import { createPool, type Pool } from "../../../server/store/pool.ts";
import { CommandError, UsageError } from "../command-line.ts";
import { createProgress, printList } from "../terminal.ts";

/** What to move, and where. */
export type MoveRequest = { account: string; to: string; dryRun: boolean; abort: boolean };

/**
 * Reads where the new cell's database is.
 *
 * @param given a URL without a password, or `env:NAME` for a variable that holds a URL
 * @throws UsageError, without the password
 */
export function targetUrl(given: string, env: NodeJS.ProcessEnv): string {
  const [, name] = /^env:(.*)$/.exec(given) ?? [];
  if (name !== undefined && !env[name]) throw new UsageError(`--to names the variable ${name}, which must be set.`);
  const url = (name !== undefined && env[name]) || given;
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new UsageError(`--to must be a postgres:// URL, or env:NAME for a variable that holds one.`);
  try {
    databaseUrl({ DATABASE_URL: url });
    if (name === undefined && new URL(url).password !== "") throw new UsageError(passwordInArgument);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError((plainMessage(error) ?? "--to must be a valid URL.").replace("DATABASE_URL", "--to"));
  }
  return url;
}

const passwordInArgument =
  "--to must hold no password, since every user of this machine can read arguments. Use env:NAME, PGPASSWORD or ~/.pgpass.";

/** Moves the account of this cell, or does what else is asked for. @returns the exit code */
export async function move(from: Pool, request: MoveRequest): Promise<number> {
  const url = targetUrl(request.to, process.env);
  const to = createPool(url, { max: 2, name: "chain-webhooks accounts", onError: () => undefined });
  const cells: Cells = {
    from: { pool: from, name: nameOfDatabase(await ownUrl(from)) },
    to: { pool: to, name: nameOfDatabase(url) },
  };
  try {
    const away = await unreachable(cells);
    if (request.abort) return await abort(cells, request.account, away);
    if (away) throw new CommandError(away);
    if (request.dryRun) await dryRun(cells, request.account);
    else await complete(cells, request.account);
    return 0;
  } finally {
    await to.end();
  }
}

async function ownUrl(pool: Pool): Promise<string> {
  return pool.options.connectionString ?? "";
}

/** @returns why the new cell's database cannot be opened; undefined if it can */
async function unreachable({ to }: Cells): Promise<string | undefined> {
  try {
    await to.pool.query("SELECT FROM accounts LIMIT 1");
    return undefined;
  } catch (error) {
    if (isDenied(error)) throw new CommandError(`The user of --to, ${to.name}, lacks a right: ${error.message}.`);
    // A database without tables is named by its schema.
    if (isWithoutTables(error)) return undefined;
    if (!isDatabaseUnavailable(error)) throw error;
    const { message, code } = error as Error & { code?: string };
    return `The database of --to, ${to.name}, cannot be opened: ${message || code}.`;
  }
}

const isWithoutTables = (error: unknown) => error instanceof Error && "code" in error && error.code === "42P01";

async function dryRun(cells: Cells, account: string): Promise<void> {
  const plan = await planMove(cells, account, readKeyring(process.env, false));
  console.error(`Nothing was changed. ${account} can move from ${cells.from.name} to ${cells.to.name}:`);
  const { webhooks, addresses, keys, pending } = plan;
  printList({ rows: [{ webhooks, addresses, keys, "pending, sent from here": pending }] });
  printList({
    rows: plan.lanes.map(({ chainId, traces, webhooks, here, there }) => ({
      chain: chainId,
      traces,
      webhooks,
      "B, if moved now": here,
      "new cell is at": there ?? "no lane yet",
    })),
  });
  console.error(sayWaiting(plan));
}

function sayWaiting({ lanes, addresses }: Plan): string {
  const seconds = Math.ceil(1 + addresses / addressesPerSecond);
  const behind = Math.max(0, ...lanes.map(({ here, there }) => (there === null ? 0 : there - here)));
  const catchingUp =
    behind === 0 ? "" : ` This cell is ${behind} blocks behind the new one, which reads them again for the account.`;
  return `Copying takes about ${seconds} s. Changes of the account are refused, and its notifications wait, for a few seconds of it at the end.${catchingUp}`;
}

/** 500,000 addresses took 9 s between two databases on one busy machine with 2 cores. */
const addressesPerSecond = 50_000;

/** @param away why the new cell cannot be reached; undefined if it can @returns the exit code */
async function abort(cells: Cells, account: string, away: string | undefined): Promise<number> {
  const { copiesIn } = await interruptible(account, () => abortMove(cells, account, { isAway: away !== undefined }));
  console.error(`The move is undone. ${account} is in ${cells.from.name}, as before.`);
  if (away) console.error(away);
  if (copiesIn)
    console.error(
      `Copies of ${account} may still be in ${copiesIn}, without effect. Run the command again once that can be reached: it removes them, and until then ${account} cannot move there.`,
    );
  return 0;
}

async function complete(cells: Cells, account: string): Promise<void> {
  const keyring = readKeyring(process.env, false);
  const progress = createProgress("addresses");
  const report = (sentence: string) => {
    progress.clear();
    console.error(sentence);
  };
  const { from, to } = cells;
  const isNew = await interruptible(account, () =>
    moveAccount(cells, account, { keyring, report, onCopied: progress.update }),
  ).finally(progress.clear);
  if (!isNew) {
    await passOn(cells, account, keyring);
    console.error(`${account} had moved. Its urls, statuses and secrets are passed on to ${from.name}.`);
  }
  const pending = await countPending(from.pool, await accountIdOf(from.pool, account));
  console.error(
    `${account} is in ${to.name}. ${from.name} still has ${pending} ${pending === 1 ? "notification" : "notifications"} to send, and keeps its history until retention ends.`,
  );
}

/** Says what to do after a failure in the middle. */
async function interruptible<T>(account: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    throw new CommandError(
      `The move of ${account} was interrupted: ${(error as Error).message}. Run the command again, which continues; or undo it with --abort.`,
      { cause: error },
    );
  }
}
