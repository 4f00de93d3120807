/** Encrypts the signing secrets and webhooks' headers of a service where they are kept, and brings them under another key. */
import { readKeyring } from "../../../server/settings/config.ts";
import { type Keyring, newKey, noKeys } from "../../../server/settings/keyring.ts";
import { countByKey, replaceLost, reseal } from "../../../server/store/webhooks/secret-keys.ts";
import { headersOwner } from "../../../server/store/webhooks/secrets.ts";
import { actionOf, CommandError, type CommandOptions, runCommand, UsageError } from "../command-line.ts";
import { printList } from "../terminal.ts";
import { withDatabase } from "../with-database.ts";

type Action = (json: boolean | undefined) => Promise<number>;

const runs: Readonly<Record<keyof typeof actions, Action>> = {
  "new-key": async () => {
    console.log(newKey());
    return 0;
  },
  list,
  encrypt: () => {
    const keyring = secretKey();
    return rewrite(keyring, keyring, `encrypted under the key ${keyring.keyIds[0]}`);
  },
  decrypt: () => rewrite(secretKey(), noKeys, "written as they are"),
  "replace-lost": async () => {
    const keyring = secretKey();
    const replaced = await withDatabase("secrets", (pool) => replaceLost(pool, keyring));
    const lost = replaced.filter((owner) => owner.startsWith(headersOwner(""))).length;
    console.error(`${replaced.length - lost} webhooks and accounts have a new secret.`);
    if (lost > 0)
      console.error(
        `${lost} webhooks have lost their headers. Nothing is sent to them until their owners set headers again.`,
      );
    for (const id of replaced) console.log(id);
    return 0;
  },
};

const options = {
  json: { type: "boolean", help: "Print the list as JSON." },
} as const satisfies CommandOptions;

const actions = { "new-key": [], list: ["json"], encrypt: [], decrypt: [], "replace-lost": [] } as const;

/** What `secrets` takes. */
export const command = {
  intro: `Encrypt webhooks' signing secrets and headers in the database.

Usage:
  chain-webhooks-service secrets new-key
  chain-webhooks-service secrets list [--json]
  chain-webhooks-service secrets encrypt
  chain-webhooks-service secrets decrypt
  chain-webhooks-service secrets replace-lost

Commands:
  new-key       Print a new key for SECRET_KEY.
  list          Count the secrets by the key that encrypts them. The name of a key reveals nothing about it.
  encrypt       Encrypt every secret with the first key of SECRET_KEY.
  decrypt       Store secrets unencrypted again, for a version of the service without SECRET_KEY.
  replace-lost  After the loss of a key: create new secrets for the webhooks and accounts whose own no key of SECRET_KEY can
                decrypt, print these, and forget the lost keys. Their owners must read the new secrets. Headers that no key
                can decrypt are lost: their webhooks wait until their owners set headers again.`,
  options,
  actions,
  notes: `Environment:
  SECRET_KEY    A comma-separated list of keys. The first encrypts, all decrypt.

The service can keep running. The command uses the database of DATABASE_URL, or the embedded one of DATA_DIR, and says which. It creates none.

Exit codes: 1 for a failure or a secret that cannot be decrypted, 2 for a wrong argument.`,
};

/** Runs `secrets`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async (given) => {
    const { action, operands } = actionOf(actions, given);
    if (operands.length > 0)
      throw new UsageError(`Unexpected argument "${operands[0]}". ${action} takes options only.`);
    return runs[action](given.values.json);
  });
}

function secretKey(): Keyring {
  const keyring = readKeyring(process.env, false);
  if (keyring.keyIds.length > 0) return keyring;
  throw new CommandError("SECRET_KEY must be set to what the service has.");
}

async function list(json: boolean | undefined): Promise<number> {
  const uses = await withDatabase("secrets", countByKey, { purpose: "read" });
  const rows = uses.map(({ keyId, secrets }) => ({ key: keyId ?? "not encrypted", secrets }));
  printList({ rows, json: uses, none: "There are no secrets." }, json);
  return 0;
}

async function rewrite(from: Keyring, to: Keyring, how: string): Promise<number> {
  const { written, unreadable } = await withDatabase("secrets", (pool) => reseal(pool, from, to));
  console.error(`${written} secrets are now ${how}.`);
  if (unreadable.length === 0) return 0;
  const some = unreadable.slice(0, 10).join(", ");
  console.error(
    `${unreadable.length} secrets are as they were: no key of SECRET_KEY opens them. They are of the webhooks ${some}${unreadable.length > 10 ? ", …" : ""}.`,
  );
  return 1;
}
