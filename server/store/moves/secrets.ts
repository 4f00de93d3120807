/** Signing secrets and webhooks' headers on their way to another cell, whose processes must be able to decrypt them. */
import { ServiceError } from "../../base/errors.ts";
import type { KeptSecret, Keyring } from "../../settings/keyring.ts";
import type { Queryable } from "../pool.ts";
import { accountOwner, headersOwner } from "../webhooks/secrets.ts";
import type { CopiedRow } from "./rows.ts";

/** Convert rows to ones that the new cell can read: those of `webhook_secrets` or `shared_secrets`, and those of `webhook_headers`. */
export type PassSecrets = Readonly<Record<"secret" | "headers", (row: CopiedRow) => CopiedRow>>;

/**
 * Plans how an account's secrets are passed on. What is encrypted under a key of the new cell is copied as it is. Everything else is
 * encrypted again, under the new cell's newest key.
 *
 * @param keyring must hold the new cell's newest key, and those of what is not copied as it is
 * @throws {ServiceError} `move_refused` if the keyring cannot do so, or the new cell has no key
 */
export async function planSecrets(
  { from, to }: { from: Queryable; to: Queryable },
  accountId: number,
  keyring: Keyring,
): Promise<PassSecrets> {
  const target = await keyIds(to, "SELECT key_id FROM secret_keys ORDER BY created_at DESC, key_id");
  const used = await keyIds(
    from,
    `SELECT key_id FROM webhook_secrets s JOIN webhooks w ON w.id = s.webhook_id WHERE w.account_id = $1
     UNION SELECT key_id FROM shared_secrets WHERE account_id = $1
     UNION SELECT key_id FROM webhook_headers h JOIN webhooks w ON w.id = h.webhook_id WHERE w.account_id = $1`,
    accountId,
  );
  const { rows: accounts } = await from.query<{ tag: string }>("SELECT tag FROM accounts WHERE id = $1", [accountId]);
  const account = accountOwner(accounts[0]?.tag ?? "");
  const readable = (keyId: string | null) => (keyId === null ? target.length === 0 : target.includes(keyId));
  const foreign = used.filter((keyId) => !readable(keyId));
  const passing = foreign.length > 0 ? keyringFor(target[0] ?? null, foreign, keyring) : keyring;
  const pass = (row: CopiedRow, owner: string): CopiedRow => {
    const { secret, key_id, sealed } = row as StoredSecret;
    if (readable(key_id)) return row;
    const kept: KeptSecret = { secret: bytesOf(secret), keyId: key_id, sealed: bytesOf(sealed) };
    const passed = passing.seal(owner, passing.open(owner, kept));
    return { ...row, secret: textOf(passed.secret), key_id: passed.keyId, sealed: textOf(passed.sealed) };
  };
  return {
    secret: (row) => pass(row, (row as StoredSecret).webhook_id ?? account),
    headers: (row) => pass(row, headersOwner(String(row.webhook_id))),
  };
}

/** @property webhook_id absent from the account's shared ones */
type StoredSecret = { webhook_id?: string; secret: string | null; key_id: string | null; sealed: string | null };

const bytesOf = (text: string | null) => (text === null ? null : Buffer.from(text.slice(2), "hex"));
const textOf = (bytes: Buffer | null) => (bytes === null ? null : `\\x${bytes.toString("hex")}`);

async function keyIds(db: Queryable, select: string, ...values: number[]): Promise<(string | null)[]> {
  const { rows } = await db.query<{ key_id: string | null }>(select, values);
  return rows.map(({ key_id }) => key_id);
}

/** @returns a keyring that encrypts under the new cell's newest key */
function keyringFor(newest: string | null, foreign: readonly (string | null)[], keyring: Keyring): Keyring {
  if (newest === null)
    throw new ServiceError(
      "move_refused",
      "The new cell does not encrypt signing secrets, and this one does. Encrypt those of the new cell first: chain-webhooks-service secrets encrypt.",
    );
  const passing = keyring.startingWith(newest);
  const wanted = [newest, ...foreign.filter((keyId) => keyId !== null)];
  if (passing && wanted.every((keyId) => keyring.keyIds.includes(keyId))) return passing;
  const has = keyring.keyIds.length === 0 ? "is not set" : `holds ${keyring.keyIds.join(" and ")} only`;
  throw new ServiceError(
    "move_refused",
    `The new cell cannot decrypt the account's signing secrets. To encrypt them for it, SECRET_KEY must hold the keys ${wanted.join(" and ")}; it ${has}.`,
  );
}
