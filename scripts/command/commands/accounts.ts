/** Lists the accounts of a service, sets how much each may have, and moves them between cells. */

import { listAccounts, setQuotas } from "../../../server/store/accounts/quotas.ts";
import type { Pool } from "../../../server/store/pool.ts";
import { move, targetUrl } from "../accounts/move.ts";
import { actionOf, type CommandOptions, runCommand, UsageError } from "../command-line.ts";
import { printList } from "../terminal.ts";
import { withDatabase } from "../with-database.ts";

const options = {
  webhooks: { type: "string", value: "N", help: "How many webhooks the account may have." },
  addresses: { type: "string", value: "N", help: "How many addresses its webhooks may watch together." },
  "any-address": { type: "string", value: "N", help: "How many of its webhooks may have anyAddress." },
  "history-blocks": {
    type: "string",
    value: "N",
    help: "How many blocks of the past it may have read within 24 hours.",
  },
  to: {
    type: "string",
    value: "URL",
    help: "The database of the new cell, as a postgres:// URL without a password. env:NAME reads it, password included, from the variable NAME. Without a password in it, PGPASSWORD and ~/.pgpass are used, as psql does.",
  },
  "dry-run": { type: "boolean", help: "Check what can be checked, and print what would be moved. It changes nothing." },
  abort: { type: "boolean", help: "Undo a move, until this cell has left the account. The new cell may be gone." },
  json: { type: "boolean", help: "Print the list as JSON." },
} as const satisfies CommandOptions;

const actions = {
  list: ["json"],
  quota: ["webhooks", "addresses", "any-address", "history-blocks"],
  move: ["to", "dry-run", "abort"],
} as const;

/** What `accounts` takes. */
export const command = {
  intro: `List accounts, set their quotas, and move them to another cell.

Usage:
  chain-webhooks-service accounts list [--json]
  chain-webhooks-service accounts quota NAME [--webhooks N|default] [--addresses N|default] [--any-address N|default]
                                               [--history-blocks N|default]
  chain-webhooks-service accounts move NAME --to URL|env:NAME [--dry-run|--abort]`,
  options,
  actions,
  notes: `An account without its own quota uses WEBHOOK_QUOTA, ADDRESS_QUOTA, ANY_ADDRESS_QUOTA and HISTORY_BLOCKS_PER_DAY; "default" resets it to them. A lower
quota blocks new webhooks, addresses and replays. It never removes existing ones. An account is created with its first key.

A move takes an account with its webhooks, addresses, secrets, keys and quotas to another cell while both run. This cell sends what it has
recorded up to a block of each chain; the new one notifies from the next block on, under the next sequences. The account's changes
are answered with 503 for some seconds. A move that was interrupted continues when it is run again. History stays in this cell
until its retention ends. After a move, run it again to pass on changes that the account made since to what is still to be sent
from here. If the cells encrypt signing secrets with different keys, SECRET_KEY must hold both.

The command uses the database of DATABASE_URL, or the embedded one of DATA_DIR, and says which. It creates none.

Exit codes: 1 for a failure, 2 for a wrong argument, 3 without DATABASE_URL and without an installed embedded PostgreSQL.`,
};
const most = 1_000_000_000;

type Given = {
  values: {
    [Name in keyof typeof options]?: ((typeof options)[Name]["type"] extends "string" ? string : boolean) | undefined;
  };
  positionals: string[];
};
type Action = (pool: Pool) => Promise<number>;

/** Runs `accounts`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async (given) => {
    const action = chooseAction(given);
    const reads = given.positionals[0] === "list" || given.values["dry-run"] === true;
    return withDatabase("accounts", action, { connections: 2, purpose: reads ? "read" : "change" });
  });
}

function chooseAction(given: Given): Action {
  const { action, operands } = actionOf(actions, given);
  const { values } = given;
  if (action === "list") {
    if (operands.length > 0) throw new UsageError(`Unexpected argument "${operands[0]}". list takes options only.`);
    return (pool) => list(pool, values.json);
  }
  const [account, ...others] = operands;
  if (account === undefined || others.length > 0) throw new UsageError(`${action} takes the name of one account.`);
  return action === "quota" ? quotaAction(account, values) : moveAction(account, values);
}

function quotaAction(account: string, values: Given["values"]): Action {
  const read = (name: "webhooks" | "addresses" | "any-address" | "history-blocks") => readQuota(name, values[name]);
  const [webhooks, addresses, anyAddress] = [read("webhooks"), read("addresses"), read("any-address")];
  const historyBlocks = read("history-blocks");
  const change = {
    ...(webhooks !== undefined && { webhooks }),
    ...(addresses !== undefined && { addresses }),
    ...(anyAddress !== undefined && { anyAddress }),
    ...(historyBlocks !== undefined && { historyBlocks }),
  };
  if (Object.keys(change).length === 0)
    throw new UsageError("quota needs --webhooks, --addresses, --any-address or --history-blocks.");
  return async (pool) => {
    await setQuotas(pool, account, change);
    const said = Object.entries(change).map(
      ([what, quota]) => `${quota ?? "the default number of"} ${quotaNames[what]}`,
    );
    console.error(`The account ${account} may have ${said.join(" and ")}.`);
    return 0;
  };
}

const quotaNames: Readonly<Record<string, string>> = {
  webhooks: "webhooks",
  addresses: "addresses",
  anyAddress: "webhooks with anyAddress",
  historyBlocks: "blocks in replays within 24 hours",
};

function moveAction(account: string, { to, "dry-run": dryRun = false, abort = false }: Given["values"]): Action {
  if (to === undefined) throw new UsageError("move needs --to, the database of the new cell.");
  if (dryRun && abort) throw new UsageError("--dry-run and --abort exclude each other.");
  targetUrl(to, process.env);
  return (pool) => move(pool, { account, to, dryRun, abort });
}

/** @returns null for the default, undefined if the option is not given */
function readQuota(name: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "default") return null;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw new UsageError(`--${name} must be a whole number from 0 to ${most}, or default.`);
  return value;
}

async function list(pool: Pool, json: boolean | undefined): Promise<number> {
  const accounts = await listAccounts(pool);
  const rows = accounts.map(
    ({ account, tag, webhooks, webhookQuota, addresses, addressQuota, anyAddressQuota, historyQuota, moveState }) => ({
      account,
      tag,
      webhooks,
      "of at most": webhookQuota ?? "default",
      addresses,
      "of at most ": addressQuota ?? "default",
      "with anyAddress at most": anyAddressQuota ?? "default",
      "blocks a day at most": historyQuota ?? "default",
      ...(moveState && { moving: moveState }),
    }),
  );
  printList({ rows, json: accounts, none: "There are no accounts." }, json);
  return 0;
}
