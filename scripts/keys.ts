/** Makes, lists and revokes API keys: `npm run keys -- create --account NAME --scopes read,write`. */
import { parseArgs } from "node:util";
import { databaseUrl, dataDir } from "../server/config.ts";
import { createKey, listKeys, revokeKey, type Scope, scopes } from "../server/store/keys.ts";
import { openDatabase } from "../server/store/open.ts";
import type { Pool } from "../server/store/pool.ts";

const usage = `Usage:
  npm run keys -- create --account NAME --scopes read,write [--expires DAYS]
  npm run keys -- list [--account NAME]
  npm run keys -- revoke ID|PREFIX

The keys are in the database of DATABASE_URL, or else in the embedded one of DATA_DIR.`;

/** A command that cannot be understood; the usage is printed with it. */
class UsageError extends Error {}

type Command = (pool: Pool) => Promise<void>;

function parseCommand(args: string[]): Command {
  const options = { account: { type: "string" }, scopes: { type: "string" }, expires: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [verb, ...operands] = positionals;
  const allowed: Record<string, { options: string[]; operands: number }> = {
    create: { options: ["account", "scopes", "expires"], operands: 0 },
    list: { options: ["account"], operands: 0 },
    revoke: { options: [], operands: 1 },
  };
  const form = allowed[verb ?? ""];
  if (!form) throw new UsageError("The command must be create, list or revoke.");
  if (operands.length !== form.operands) throw new UsageError(`${verb} takes ${form.operands} operand(s).`);
  const misplaced = Object.keys(values).find((name) => !form.options.includes(name));
  if (misplaced) throw new UsageError(`${verb} does not take --${misplaced}.`);
  if (verb === "list") return (pool) => list(pool, values.account);
  if (verb === "revoke") return (pool) => revoke(pool, operands[0] ?? "");
  const account = values.account?.trim();
  if (!account) throw new UsageError("create needs --account NAME.");
  const wanted = { account, scopes: parseScopes(values.scopes), ...parseExpiry(values.expires) };
  return (pool) => create(pool, wanted);
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

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2));
  const place = { databaseUrl: databaseUrl(process.env), dataDir: dataDir(process.env) };
  const database = await openDatabase({ ...place, name: "chain-webhooks keys", max: 1 });
  try {
    await command(database.pool);
  } finally {
    await database.close();
  }
}

main().catch((error: Error & { code?: string }) => {
  const misused = error instanceof UsageError || error.code?.startsWith("ERR_PARSE_ARGS");
  console.error(
    misused ? `${error.message}\n\n${usage}` : error.message || `The database cannot be reached (${error.code}).`,
  );
  process.exitCode = misused ? 2 : 1;
});
