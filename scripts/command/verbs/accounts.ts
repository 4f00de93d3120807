/** Lists the accounts of a service, and sets how much each may have. */

import { listAccounts, setQuotas } from "../../../server/store/accounts/quotas.ts";
import type { Pool } from "../../../server/store/pool.ts";
import { runCommand, UsageError } from "../command-line.ts";
import { didYouMean } from "../did-you-mean.ts";
import { withDatabase } from "../with-database.ts";

const help = `Lists accounts, and sets how many webhooks they may have and how many addresses these may watch.

Usage:
  chain-webhooks accounts list
  chain-webhooks accounts quota NAME [--webhooks N|default] [--addresses N|default]

Options:
  --webhooks N   how many webhooks the account may have
  --addresses N  how many addresses they may watch together
  -h, --help     shows this

What is not set is as WEBHOOK_QUOTA and ADDRESS_QUOTA say, and so is what is set to "default". A quota holds from the next creation
on; what an account has already stays. An account comes to be with its first key. The accounts are in the database of DATABASE_URL, or
else in the embedded one of DATA_DIR. The exit code is 1 when something failed, 2 for a command that cannot be understood,
3 when neither is there: no DATABASE_URL, and no embedded PostgreSQL installed.`;

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

function chooseAction({ values, positionals: [verb = "", ...operands] }: Given): (pool: Pool) => Promise<void> {
  if (verb === "list") {
    if (operands.length > 0 || Object.keys(values).length > 0)
      throw new UsageError("list takes no operands and no options.");
    return list;
  }
  if (verb !== "quota") {
    const meant = verb === "" ? "." : `, not ${verb}${didYouMean(verb, ["list", "quota"])}`;
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
    accounts.map(({ account, webhooks, webhookQuota, addresses, addressQuota }) => ({
      account,
      webhooks,
      "of at most": webhookQuota ?? "default",
      addresses,
      "of at most ": addressQuota ?? "default",
    })),
  );
}
