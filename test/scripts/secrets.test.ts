/** `npm run cli secrets`: how an operator encrypts signing secrets and changes the key. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { run } from "../../scripts/command/commands/secrets.ts";
import { runService } from "../../server/process.ts";
import { newKey, noKeys, parseKeyring } from "../../server/settings/keyring.ts";
import { claimKeys } from "../../server/store/webhooks/secret-keys.ts";
import { getSecret } from "../../server/store/webhooks/secrets.ts";
import { runHere } from "../support/command.ts";
import { type Outbox, openOutbox } from "../support/outbox.ts";

let outbox: Outbox;
beforeAll(async () => {
  outbox = await openOutbox();
});
afterAll(() => outbox.close());
afterEach(() => vi.unstubAllEnvs());

function secrets(args: string[], secretKey = "") {
  vi.stubEnv("DATABASE_URL", outbox.databaseUrl);
  vi.stubEnv("SECRET_KEY", secretKey);
  return runHere(run, args);
}

test("secrets are encrypted, counted by key, brought under a new one, and decrypted; no key is shown", async () => {
  const [older, newer] = [(await secrets(["new-key"])).stdout.trim(), (await secrets(["new-key"])).stdout.trim()];
  const [oldId, newId] = [older, newer].map((key) => parseKeyring(key).keyIds[0]);
  const { accountId, id, secret } = await outbox.addWebhook("https://example.com/");
  const steps: [string, string, string][] = [
    ["encrypt", older, `1 secrets are now encrypted under the key ${oldId}.\n`],
    ["encrypt", `${older},${newer}`, `0 secrets are now encrypted under the key ${oldId}.\n`],
    ["encrypt", `${newer},${older}`, `1 secrets are now encrypted under the key ${newId}.\n`],
    ["decrypt", newer, "1 secrets are now written as they are.\n"],
  ];
  for (const [action, key, reported] of steps) {
    const { code, stdout, stderr } = await secrets([action], key);
    expect({ code, stdout, said: stderr.split("\n").slice(1).join("\n") }).toEqual({
      code: 0,
      stdout: "",
      said: reported,
    });
    const keyring = action === "decrypt" ? noKeys : parseKeyring(key);
    expect((await getSecret(outbox.pool, accountId, id, keyring)).secret).toEqual(secret);
  }
  await secrets(["encrypt"], newer);
  const wrong = await secrets(["encrypt"], older);
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain(
    `1 secrets are as they were: no key of SECRET_KEY opens them. They are of the webhooks ${id}.`,
  );
  const { stdout } = await secrets(["list", "--json"]);
  expect(JSON.parse(stdout)).toEqual(expect.arrayContaining([{ keyId: newId, secrets: 1 }]));
});

test.each([
  [["encrypt"], "", 1, "SECRET_KEY must be set to what the service has."],
  [["encrypt"], "short", 1, "SECRET_KEY must be 32 random bytes as"],
  [[], "", 2, "The command must be new-key, list, encrypt, decrypt or replace-lost."],
  [["list", "all"], "", 2, 'Unexpected argument "all". list takes options only.'],
])("secrets %j with the key %j ends with %i and a sentence", async (args, key, code, message) => {
  const said = await secrets(args, key);
  expect(said).toMatchObject({ code, stdout: "" });
  expect(said.stderr).toContain(message);
});

test("when a key is lost, its webhooks get new secrets, and the service starts without it", async () => {
  const { accountId, id, secret } = await outbox.addWebhook("https://example.com/");
  const [lost, kept] = [newKey(), newKey()];
  await secrets(["decrypt"], kept);
  await outbox.pool.query("DELETE FROM webhooks WHERE id <> $1", [id]);
  await secrets(["encrypt"], lost);
  await expect(claimKeys(outbox.pool, parseKeyring(kept))).rejects.toThrow("SECRET_KEY must hold the key");
  expect(await secrets(["replace-lost"], kept)).toEqual({
    ...{ code: 0, stdout: `${id}\n`, stderr: expect.stringContaining("1 webhooks and accounts have a new secret.\n") },
  });
  expect((await getSecret(outbox.pool, accountId, id, parseKeyring(kept))).secret).not.toEqual(secret);
  await claimKeys(outbox.pool, parseKeyring(kept));
  expect(await secrets(["replace-lost"], kept)).toMatchObject({
    stdout: "",
    stderr: expect.stringContaining("0 webhooks and accounts have a new secret.\n"),
  });
});

test("a service without the key reports it and does not start, as in production without any key", async () => {
  const env = {
    ...{ DATABASE_URL: outbox.databaseUrl, ROLES: "api", PORT: "0", LOG_LEVEL: "silent" },
    CHAINS: JSON.stringify([{ chainId: "43112", rpcUrls: ["http://127.0.0.1:1"] }]),
  };
  const start = (more: Record<string, string>) => runHere(() => runService({ ...env, ...more }), []);
  await secrets(["encrypt"], newKey());
  const lacking = await start({ SECRET_KEY: newKey() });
  expect(lacking.code).toBe(1);
  expect(lacking.stderr).toMatch(
    /^SECRET_KEY must hold the keys? [0-9a-f]{16}.*, which signing secrets in the database are encrypted under; it holds [0-9a-f]{16} only\.\n$/,
  );
  const production = await start({ NODE_ENV: "production" });
  expect(production).toMatchObject({ code: 1, stdout: "" });
  expect(production.stderr).toMatch(/^SECRET_KEY must be set when NODE_ENV is production[^\n]*\.\n$/);
});
