/** Makes, lists and revokes the API keys of a service. */
import { createKey, listKeys, revokeKey, type Scope, scopes } from "../../../server/store/accounts/keys.ts";
import type { Purpose } from "../../../server/store/open.ts";
import type { Pool } from "../../../server/store/pool.ts";
import { actionOf, type CommandOptions, runCommand, UsageError } from "../command-line.ts";
import { printList } from "../terminal.ts";
import { withDatabase } from "../with-database.ts";

const options = {
  account: { type: "string", value: "NAME", help: "The account. The list shows all accounts without it." },
  scopes: { type: "string", value: "SCOPES", help: "What the key may do: read, write, or read,write." },
  expires: { type: "string", value: "DAYS", help: "Days until the key expires. Default: never." },
  json: { type: "boolean", help: "Print the list as JSON." },
} as const satisfies CommandOptions;

const actions = {
  create: ["account", "scopes", "expires"],
  list: ["account", "json"],
  revoke: [],
} as const;

/** What `keys` takes. */
export const command = {
  intro: `Create, list and revoke API keys.

Usage:
  chain-webhooks-service keys create --account NAME --scopes read,write [--expires DAYS]
  chain-webhooks-service keys list [--account NAME] [--json]
  chain-webhooks-service keys revoke ID|PREFIX`,
  options,
  actions,
  notes: `A new key is printed to standard output, only once. The command uses the database of DATABASE_URL, or the embedded one of
DATA_DIR, and says which. Only create creates one that is missing.

Exit codes: 1 for a failure, 2 for a wrong argument, 3 without DATABASE_URL and without an installed embedded PostgreSQL.`,
};

type Given = {
  values: { [Name in "account" | "scopes" | "expires"]?: string | undefined } & { json?: boolean | undefined };
  positionals: string[];
};
type Action = (pool: Pool) => Promise<void>;

/** Runs `keys`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async (given) => {
    const { action, purpose } = chooseAction(given);
    await withDatabase("keys", action, { purpose });
    return 0;
  });
}

function chooseAction(given: Given): { action: Action; purpose: Purpose } {
  const { action, operands } = actionOf(actions, given);
  const { values } = given;
  if (operands.length !== (action === "revoke" ? 1 : 0))
    throw new UsageError(
      action === "revoke"
        ? "revoke needs one key: its number or its first characters."
        : `Unexpected argument "${operands[0]}". ${action} takes options only.`,
    );
  if (action === "list") return { action: (pool) => list(pool, values), purpose: "read" };
  if (action === "revoke") return { action: (pool) => revoke(pool, operands[0] ?? ""), purpose: "change" };
  const account = values.account?.trim();
  if (!account) throw new UsageError("create needs --account NAME.");
  const wanted = { account, scopes: parseScopes(values.scopes), ...parseExpiry(values.expires) };
  return { action: (pool) => create(pool, wanted), purpose: "create" };
}

function parseScopes(text = ""): Scope[] {
  const wanted = new Set(text.split(",").map((scope) => scope.trim()));
  const known = scopes.filter((scope) => wanted.has(scope));
  if (known.length !== wanted.size) throw new UsageError("--scopes must be read, write or read,write.");
  return known;
}

function parseExpiry(days: string | undefined): { expiresAt?: Date } {
  if (days === undefined) return {};
  if (!/^[1-9]\d{0,4}$/.test(days)) throw new UsageError("--expires must be a number of days, from 1.");
  return { expiresAt: new Date(Date.now() + Number(days) * 86_400_000) };
}

async function create(pool: Pool, wanted: Parameters<typeof createKey>[1]): Promise<void> {
  const { id, key } = await createKey(pool, wanted);
  const until = wanted.expiresAt ? `, until ${wanted.expiresAt.toISOString()}` : "";
  console.error(`Key ${id} of ${wanted.account}, with ${wanted.scopes.join(" and ")}${until}. It is shown this once:`);
  console.log(key);
}

async function list(pool: Pool, { account, json }: Given["values"]): Promise<void> {
  const keys = await listKeys(pool, account);
  const minute = (date: Date | null) => date?.toISOString().slice(0, 16) ?? "";
  const rows = keys.map((key) => ({
    id: key.id,
    account: key.account,
    prefix: key.prefix,
    scopes: key.scopes.join(","),
    created: minute(key.createdAt),
    expires: minute(key.expiresAt),
    "last used": minute(key.lastUsedAt),
    revoked: minute(key.revokedAt),
  }));
  printList({ rows, json: keys, none: "There are no keys." }, json);
}

async function revoke(pool: Pool, which: string): Promise<void> {
  await revokeKey(pool, which);
  console.error(`Key ${which} is revoked.`);
}
