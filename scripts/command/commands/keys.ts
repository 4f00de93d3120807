/** Makes, lists and revokes the API keys of a service. */
import { createKey, listKeys, revokeKey, type Scope, scopes } from "../../../server/store/accounts/keys.ts";
import type { Purpose } from "../../../server/store/open.ts";
import type { Pool } from "../../../server/store/pool.ts";
import { runCommand, UsageError } from "../command-line.ts";
import { didYouMean } from "../did-you-mean.ts";
import { withDatabase } from "../with-database.ts";

const help = `Create, list and revoke API keys.

Usage:
  chain-webhooks-service keys create --account NAME --scopes read,write [--expires DAYS]
  chain-webhooks-service keys list [--account NAME]
  chain-webhooks-service keys revoke ID|PREFIX

Options:
  --account NAME   The account. The list shows all accounts without it.
  --scopes SCOPES  What the key may do: read, write, or read,write.
  --expires DAYS   Days until the key expires. Default: never.
  -h, --help       Show this help.

A new key is printed to standard output, only once. The command uses the database of DATABASE_URL, or the embedded one of
DATA_DIR, and says which. Only create creates one that is missing.

Exit codes: 1 for a failure, 2 for a wrong argument, 3 without DATABASE_URL and without an installed embedded PostgreSQL.`;

const options = { account: { type: "string" }, scopes: { type: "string" }, expires: { type: "string" } } as const;

type Given = { values: { [Name in keyof typeof options]?: string | undefined }; positionals: string[] };
type Action = (pool: Pool) => Promise<void>;

const allowed: Readonly<Record<string, { options: string[]; operands: number }>> = {
  create: { options: ["account", "scopes", "expires"], operands: 0 },
  list: { options: ["account"], operands: 0 },
  revoke: { options: [], operands: 1 },
};

/** Runs `keys`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options }, args, async (given) => {
    const { action, purpose } = chooseAction(given);
    await withDatabase("keys", action, { purpose });
    return 0;
  });
}

function chooseAction({ values, positionals }: Given): { action: Action; purpose: Purpose } {
  const [actionName = "", ...operands] = positionals;
  const form = Object.hasOwn(allowed, actionName) ? allowed[actionName] : undefined;
  if (!form) {
    const meant = actionName === "" ? "." : `, not ${actionName}${didYouMean(actionName, Object.keys(allowed))}`;
    throw new UsageError(`The command must be create, list or revoke${meant}`);
  }
  if (operands.length !== form.operands)
    throw new UsageError(
      form.operands === 0
        ? `Unexpected argument "${operands[0]}". ${actionName} takes options only.`
        : `${actionName} needs one key: its number or its first characters.`,
    );
  const misplaced = Object.keys(values).find((name) => !form.options.includes(name));
  if (misplaced) throw new UsageError(`${actionName} does not take --${misplaced}.`);
  if (actionName === "list") return { action: (pool) => list(pool, values.account), purpose: "read" };
  if (actionName === "revoke") return { action: (pool) => revoke(pool, operands[0] ?? ""), purpose: "change" };
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

async function list(pool: Pool, account: string | undefined): Promise<void> {
  const keys = await listKeys(pool, account);
  if (keys.length === 0) {
    console.error("There are no keys.");
    return;
  }
  const minute = (date: Date | null) => date?.toISOString().slice(0, 16) ?? "";
  console.table(
    keys.map((key) => ({
      id: key.id,
      account: key.account,
      prefix: key.prefix,
      scopes: key.scopes.join(","),
      created: minute(key.createdAt),
      expires: minute(key.expiresAt),
      "last used": minute(key.lastUsedAt),
      revoked: minute(key.revokedAt),
    })),
  );
}

async function revoke(pool: Pool, which: string): Promise<void> {
  await revokeKey(pool, which);
  console.error(`Key ${which} is revoked.`);
}
