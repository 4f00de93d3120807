/** Which keys signing secrets are under: who may start, and how secrets come from one key to the next. */
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Keyring, newKey, noKeys, parseKeyring } from "../../server/settings/keyring.ts";
import { readEndpoints } from "../../server/store/delivery/endpoint-states.ts";
import { inTransaction, type Pool } from "../../server/store/pool.ts";
import { updateWebhook } from "../../server/store/webhooks/changes.ts";
import { claimKeys, countByKey, replaceLost, reseal } from "../../server/store/webhooks/secret-keys.ts";
import {
  getSecret,
  getSharedSecret,
  rotateSecret,
  rotateSharedSecret,
  sealHeaders,
} from "../../server/store/webhooks/secrets.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../support/outbox.ts";

const [older, newer] = [newKey(), newKey()];
const [old, young, both] = [older, newer, `${newer},${older}`].map(parseKeyring) as [Keyring, Keyring, Keyring];

let outbox: Outbox;
let pool: Pool;
beforeEach(async () => {
  outbox = await openOutbox(undefined, old);
  pool = outbox.pool;
});
afterEach(() => outbox.close());

const read = ({ accountId, id }: OutboxWebhook, keyring: Keyring) => getSecret(pool, accountId, id, keyring);
const columns = async () =>
  (await pool.query("SELECT secret, key_id, sealed FROM webhook_secrets ORDER BY created_at")).rows;

test("a secret is encrypted when it is made and when it is rotated, and read with its key only", async () => {
  const webhook = await outbox.addWebhook("https://example.com/");
  const { secret } = await inTransaction(pool, (db) => rotateSecret(db, webhook.accountId, webhook.id, old));
  const rows = await columns();
  expect(rows).toMatchObject(Array(2).fill({ secret: null, key_id: old.keyIds[0] }));
  for (const { sealed } of rows)
    for (const plain of [secret, webhook.secret]) expect(sealed.includes(plain)).toBe(false);
  expect((await read(webhook, old)).secret).toEqual(secret);
  expect((await read(webhook, both)).secret).toEqual(secret);
  await expect(read(webhook, young)).rejects.toThrow("which SECRET_KEY does not contain");
});

test("a ciphertext moved to another webhook cannot be decrypted", async () => {
  const [one, two] = [await outbox.addWebhook("https://a.example/"), await outbox.addWebhook("https://b.example/")];
  await pool.query(
    `UPDATE webhook_secrets SET sealed = (SELECT sealed FROM webhook_secrets WHERE webhook_id = $1) WHERE webhook_id = $2`,
    [one.id, two.id],
  );
  await expect(read(two, old)).rejects.toThrow("was changed or belongs to another webhook");
});

test("a process that lacks a used key does not start; the first one decides on a new database", async () => {
  await expect(claimKeys(pool, noKeys)).resolves.toBeUndefined();
  const [first, second] = await Promise.allSettled([claimKeys(pool, old), claimKeys(pool, young)]);
  expect([first.status, second.status].sort()).toEqual(["fulfilled", "rejected"]);
  await claimKeys(pool, both);
  const sentence = (keys: string, held: string) =>
    `SECRET_KEY must hold ${keys}, which signing secrets in the database are encrypted under; it ${held}.`;
  await pool.query("DELETE FROM secret_keys");
  await claimKeys(pool, old);
  await expect(claimKeys(pool, young)).rejects.toThrow(
    sentence(`the key ${old.keyIds[0]}`, `holds ${young.keyIds[0]} only`),
  );
  await expect(claimKeys(pool, noKeys)).rejects.toThrow(sentence(`the key ${old.keyIds[0]}`, "is not set"));
});

test("plain secrets come under a key, from one key to the next, and out again, and stay the same", async () => {
  const plain = await outbox.addWebhook("https://a.example/");
  await reseal(pool, old, noKeys);
  expect(await columns()).toEqual([{ secret: plain.secret, key_id: null, sealed: null }]);
  expect(await countByKey(pool)).toEqual([{ keyId: null, secrets: 1 }]);
  await inTransaction(pool, (db) => rotateSecret(db, plain.accountId, plain.id, old));
  const before = (await read(plain, old)).secret;
  expect(await reseal(pool, both, both)).toEqual({ written: 2, unreadable: [] });
  expect(await countByKey(pool)).toEqual([
    { keyId: young.keyIds[0], secrets: 2 },
    { keyId: null, secrets: 0 },
  ]);
  expect((await read(plain, young)).secret).toEqual(before);
  await claimKeys(pool, young);
  expect(await reseal(pool, both, both)).toEqual({ written: 0, unreadable: [] });
});

test("more than a thousand are encrypted again in pages, during a rotation, and those without their key are reported", async () => {
  const lost = parseKeyring(newKey());
  const webhook = await outbox.addWebhook("https://a.example/");
  await pool.query(
    `INSERT INTO webhooks SELECT (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).* FROM webhooks w, generate_series(1, 1200)`,
  );
  await pool.query(
    "INSERT INTO webhook_secrets (webhook_id, secret) SELECT id, sha256(id::text::bytea) FROM webhooks WHERE id <> $1",
    [webhook.id],
  );
  const gone = await outbox.addWebhook("https://b.example/");
  const kept = lost.seal(gone.id, randomBytes(32));
  await pool.query("INSERT INTO secret_keys (key_id) VALUES ($1)", [kept.keyId]);
  await pool.query("UPDATE webhook_secrets SET key_id = $2, sealed = $3 WHERE webhook_id = $1", [
    gone.id,
    kept.keyId,
    kept.sealed,
  ]);
  const [outcome] = await Promise.all([
    reseal(pool, both, both),
    inTransaction(pool, (db) => rotateSecret(db, webhook.accountId, webhook.id, both)),
  ]);
  expect(outcome.unreadable).toEqual([gone.id]);
  expect(await countByKey(pool)).toEqual(
    expect.arrayContaining([
      { keyId: young.keyIds[0], secrets: 1202 },
      { keyId: lost.keyIds[0], secrets: 1 },
      { keyId: null, secrets: 0 },
    ]),
  );
});

test("an account's shared secrets are encrypted too, for this account, and come from one key to the next", async () => {
  const { id, accountId } = await outbox.addWebhook("https://a.example/", undefined, undefined, {
    compatibility: "glacier",
  });
  const { secret } = await getSharedSecret(pool, accountId, old);
  const { secret: rotated } = await inTransaction(pool, (db) => rotateSharedSecret(db, accountId, old));
  const { rows } = await pool.query("SELECT secret, key_id, sealed FROM shared_secrets ORDER BY created_at");
  expect(rows).toMatchObject(Array(2).fill({ secret: null, key_id: old.keyIds[0] }));
  for (const { sealed } of rows) for (const plain of [secret, rotated]) expect(sealed.includes(plain)).toBe(false);
  expect(await countByKey(pool)).toEqual([
    { keyId: old.keyIds[0], secrets: 3 },
    { keyId: null, secrets: 0 },
  ]);
  expect(await reseal(pool, both, both)).toEqual({ written: 3, unreadable: [] });
  expect((await getSharedSecret(pool, accountId, young)).secret).toEqual(rotated);
  const [endpoint] = await readEndpoints(pool, [id], young);
  expect(endpoint?.sharedSecrets?.map(({ secret: each }) => each)).toEqual([rotated, secret]);
  const other = await outbox.addAccount();
  await pool.query(
    "INSERT INTO shared_secrets (account_id, key_id, sealed) SELECT $1, key_id, sealed FROM shared_secrets WHERE expires_at IS NULL",
    [other],
  );
  await expect(getSharedSecret(pool, other, young)).rejects.toThrow("was changed or belongs to another account");
  expect((await reseal(pool, both, noKeys)).unreadable).toEqual([expect.stringMatching(/^account [0-9a-f]{12}$/)]);
  expect((await getSharedSecret(pool, accountId, noKeys)).secret).toEqual(rotated);
});

test("without the key of a shared secret nothing of its webhooks is sent; a new one is made for a lost one", async () => {
  const glacier = await outbox.addWebhook("https://a.example/", undefined, undefined, { compatibility: "glacier" });
  const usual = await outbox.addWebhook("https://b.example/");
  const { secret } = await getSharedSecret(pool, glacier.accountId, old);
  await pool.query("DELETE FROM webhook_secrets");
  for (const { id } of [glacier, usual])
    await pool.query("INSERT INTO webhook_secrets (webhook_id, secret) VALUES ($1, 'own')", [id]);
  const active = async () =>
    new Map((await readEndpoints(pool, [glacier.id, usual.id], young)).map((each) => [each.webhookId, each.active]));
  expect(await active()).toEqual(
    new Map([
      [glacier.id, false],
      [usual.id, true],
    ]),
  );
  expect(await replaceLost(pool, young)).toEqual([expect.stringMatching(/^account [0-9a-f]{12}$/)]);
  expect(await active()).toEqual(
    new Map([
      [glacier.id, true],
      [usual.id, true],
    ]),
  );
  expect((await getSharedSecret(pool, glacier.accountId, young)).secret).not.toEqual(secret);
});

const setHeaders = ({ id, accountId }: OutboxWebhook, value: string, by: Keyring) =>
  inTransaction(pool, (db) => updateWebhook(db, accountId, id, { headers: sealHeaders(id, [["x-key", value]], by) }));
const headersOf = async ({ id }: OutboxWebhook, by: Keyring) => (await readEndpoints(pool, [id], by))[0]?.headers;

test("headers are encrypted for their webhook, come from one key to the next and out again, and are counted", async () => {
  const [one, two] = [await outbox.addWebhook("https://a.example/"), await outbox.addWebhook("https://b.example/")];
  await setHeaders(one, "of one", old);
  await setHeaders(two, "of two", old);
  const stored = async () =>
    (await pool.query("SELECT secret, key_id, sealed FROM webhook_headers ORDER BY created_at")).rows;
  expect(await stored()).toMatchObject(Array(2).fill({ secret: null, key_id: old.keyIds[0] }));
  for (const { sealed } of await stored()) expect(sealed.includes("of ")).toBe(false);
  expect(await headersOf(one, both)).toEqual([["x-key", "of one"]]);
  expect(await headersOf(one, young)).toBeUndefined();
  expect(await countByKey(pool)).toEqual([
    { keyId: old.keyIds[0], secrets: 4 },
    { keyId: null, secrets: 0 },
  ]);
  expect(await reseal(pool, both, both)).toEqual({ written: 4, unreadable: [] });
  expect(await headersOf(two, young)).toEqual([["x-key", "of two"]]);
  // The names of the old key are forgotten, so that processes may start without it.
  await claimKeys(pool, young);
  await pool.query("UPDATE webhook_headers SET sealed = (SELECT sealed FROM webhook_headers WHERE webhook_id = $1)", [
    one.id,
  ]);
  expect(await headersOf(two, young)).toBeUndefined();
  expect(await reseal(pool, young, noKeys)).toEqual({ written: 3, unreadable: [`headers ${two.id}`] });
  expect(await headersOf(one, noKeys)).toEqual([["x-key", "of one"]]);
});

test("a key that only headers are under is needed, and its loss is the loss of these headers alone", async () => {
  const [lost, kept] = [await outbox.addWebhook("https://a.example/"), await outbox.addWebhook("https://b.example/")];
  await reseal(pool, old, noKeys);
  await setHeaders(lost, "lost", old);
  await setHeaders(kept, "kept", noKeys);
  await expect(claimKeys(pool, young)).rejects.toMatchObject({ code: "secret_key_missing" });
  expect(await replaceLost(pool, young)).toEqual([`headers ${lost.id}`]);
  await claimKeys(pool, young);
  const active = async ({ id }: OutboxWebhook) => (await readEndpoints(pool, [id], young))[0]?.active;
  expect([await active(lost), await active(kept)]).toEqual([false, true]);
  await setHeaders(lost, "again", young);
  expect(await active(lost)).toBe(true);
});

test("encrypting again while headers are set leaves what was set last", async () => {
  const webhook = await outbox.addWebhook("https://a.example/");
  for (let round = 0; round < 5; round += 1) {
    await setHeaders(webhook, `${round}`, round % 2 === 0 ? old : both);
    await Promise.all([reseal(pool, both, both), setHeaders(webhook, `${round} later`, both)]);
    expect(await headersOf(webhook, both)).toEqual([["x-key", `${round} later`]]);
  }
});
