/** Encrypts the signing secrets of a service where they are kept, and brings them under another key. */
import { readKeyring } from "../../../server/config.ts";
import { type Keyring, newKey, noKeys } from "../../../server/store/webhooks/keyring.ts";
import { replaceLost } from "../../../server/store/webhooks/lost-secrets.ts";
import { countByKey, reseal } from "../../../server/store/webhooks/secret-keys.ts";
import { CommandError, runCommand, UsageError } from "../command-line.ts";
import { didYouMean } from "../did-you-mean.ts";
import { withDatabase } from "../with-database.ts";

const help = `Encrypts the secrets that notifications are signed with, in the database.

Usage:
  chain-webhooks secrets new-key
  chain-webhooks secrets list
  chain-webhooks secrets encrypt
  chain-webhooks secrets decrypt
  chain-webhooks secrets replace-lost

Verbs:
  new-key       prints a new key for SECRET_KEY
  list          tells how many secrets are encrypted under which key; keys are told by names that say nothing about them
  encrypt       encrypts with the first key of SECRET_KEY what is not encrypted, or under another of its keys
  decrypt       keeps secrets as they are again, for a version of the service that knows no SECRET_KEY
  replace-lost  when a key is lost: makes new secrets for the webhooks whose secret is under none of SECRET_KEY's keys, prints
                their identifiers, and forgets those keys; their owners have to read the new secret

Options:
  -h, --help    shows this

Environment:
  SECRET_KEY    the keys, between commas: the first encrypts, all of them decrypt

The service may run meanwhile. The secrets are in the database of DATABASE_URL, or else in the embedded one of DATA_DIR. The exit
code is 1 when something failed or could not be decrypted, 2 for a command that cannot be understood.`;

type Action = () => Promise<number>;

const verbs: Readonly<Record<string, Action>> = {
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
    console.error(`${replaced.length} webhooks have a new secret.`);
    for (const id of replaced) console.log(id);
    return 0;
  },
};

/** Runs `secrets`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options: {} }, args, async ({ positionals: [verb = "", ...operands] }) => {
    const names = Object.keys(verbs);
    const action = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (!action) {
      const meant = verb === "" ? "." : `, not ${verb}${didYouMean(verb, names)}`;
      throw new UsageError(`The command must be new-key, list, encrypt, decrypt or replace-lost${meant}`);
    }
    if (operands.length > 0) throw new UsageError(`Unexpected argument "${operands[0]}". ${verb} takes options only.`);
    return action();
  });
}

function secretKey(): Keyring {
  const keyring = readKeyring(process.env, false);
  if (keyring.keyIds.length > 0) return keyring;
  throw new CommandError("SECRET_KEY must be set to what the service has.");
}

async function list(): Promise<number> {
  const uses = await withDatabase("secrets", countByKey);
  console.table(uses.map(({ keyId, secrets }) => ({ key: keyId ?? "not encrypted", secrets })));
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
