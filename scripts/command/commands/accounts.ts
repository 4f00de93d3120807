/** Lists the accounts of a service, and sets how much each may have. */

import { listAccounts, setQuotas } from "../../../server/store/accounts/quotas.ts";
import type { Pool } from "../../../server/store/pool.ts";
import { runCommand, UsageError } from "../command-line.ts";
import { didYouMean } from "../did-you-mean.ts";
import { withDatabase } from "../with-database.ts";

const help = `List accounts, and set their quotas.

Usage:
  chain-webhooks accounts list
  chain-webhooks accounts quota NAME [--webhooks N|default] [--addresses N|default]

Options:
  --webhooks N   How many webhooks the account may have.
  --addresses N  How many addresses its webhooks may watch together.
  -h, --help     Show this help.

An account without its own quota uses WEBHOOK_QUOTA and ADDRESS_QUOTA; "default" resets it to them. A lower quota blocks new webhooks
and addresses. It never removes existing ones. An account is created with its first key.

The command uses the database of DATABASE_URL, or the embedded one of DATA_DIR.

Exit codes: 1 for a failure, 2 for a wrong argument, 3 without DATABASE_URL and without an installed embedded PostgreSQL.`;

const options = { webhooks: { type: "string" }, addresses: { type: "string" } } as const;
const most = 1_000_000_000;

type Given = { values: { [Name in keyof typeof options]?: string | undefined }; positionals: string[] };

/** Runs `accounts`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options }, args, async (given) => {
    const action = chooseAction(given);
    await withDatabase("accounts", action);
    return 0;
  });
}

function chooseAction({ values, positionals: [actionName = "", ...operands] }: Given): (pool: Pool) => Promise<void> {
  if (actionName === "list") {
    if (operands.length > 0 || Object.keys(values).length > 0)
      throw new UsageError("list takes no operands and no options.");
    return list;
  }
  if (actionName !== "quota") {
    const meant = actionName === "" ? "." : `, not ${actionName}${didYouMean(actionName, ["list", "quota"])}`;
    throw new UsageError(`The command must be list or quota${meant}`);
  }
  const [account, ...others] = operands;
  if (account === undefined || others.length > 0) throw new UsageError("quota takes the name of one account.");
  const change = { ...read("webhooks", values.webhooks), ...read("addresses", values.addresses) };
  if (Object.keys(change).length === 0) throw new UsageError("quota needs --webhooks or --addresses.");
  return async (pool) => {
    await setQuotas(pool, account, change);
    const said = Object.entries(change).map(([what, quota]) => `${quota ?? "the default number of"} ${what}`);
    console.error(`The account ${account} may have ${said.join(" and ")}.`);
  };
}

function read(name: "webhooks" | "addresses", text: string | undefined): { [Name in typeof name]?: number | null } {
  if (text === undefined) return {};
  if (text === "default") return { [name]: null };
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw new UsageError(`--${name} must be a whole number from 0 to ${most}, or default.`);
  return { [name]: value };
}

async function list(pool: Pool): Promise<void> {
  const accounts = await listAccounts(pool);
  if (accounts.length === 0) {
    console.error("There are no accounts.");
    return;
  }
  console.table(
    accounts.map(({ account, tag, webhooks, webhookQuota, addresses, addressQuota }) => ({
      account,
      tag,
      webhooks,
      "of at most": webhookQuota ?? "default",
      addresses,
      "of at most ": addressQuota ?? "default",
    })),
  );
}
