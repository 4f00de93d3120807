/** What encrypts signing secrets: who can open what, and what is reported a key. */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newKey, noKeys, parseKeyring } from "../../server/settings/keyring.ts";

const webhook = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const other = "0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21";
const secret = randomBytes(32);

test("the first key encrypts, every key decrypts, and without any a secret stays as it is", () => {
  const [one, two] = [newKey(), newKey()];
  const kept = parseKeyring(one).seal(webhook, secret);
  expect(kept).toEqual({ secret: null, keyId: parseKeyring(one).keyIds[0], sealed: expect.any(Buffer) });
  expect(kept.sealed?.includes(secret)).toBe(false);
  for (const keys of [one, `${two},${one}`]) expect(parseKeyring(keys).open(webhook, kept)).toEqual(secret);
  expect(parseKeyring(`${two},${one}`).seal(webhook, secret).keyId).toBe(parseKeyring(two).keyIds[0]);
  expect(noKeys.seal(webhook, secret)).toEqual({ secret, keyId: null, sealed: null });
  expect(parseKeyring(one).open(webhook, noKeys.seal(webhook, secret))).toEqual(secret);
});

test("encrypting twice gives different ciphertexts", () => {
  const keyring = parseKeyring(newKey());
  expect(keyring.seal(webhook, secret).sealed).not.toEqual(keyring.seal(webhook, secret).sealed);
});

test("without the key, for another webhook, or changed in any byte, nothing is opened", () => {
  const keyring = parseKeyring(newKey());
  const kept = keyring.seal(webhook, secret);
  const withoutIt = `The signing secret of the webhook ${webhook} is encrypted under the key ${kept.keyId}, which SECRET_KEY does not contain.`;
  expect(() => parseKeyring(newKey()).open(webhook, kept)).toThrow(withoutIt);
  expect(() => noKeys.open(webhook, kept)).toThrow(withoutIt);
  expect(() => keyring.open(other, kept)).toThrow("and was changed or belongs to another webhook");
  const { sealed } = kept;
  for (let at = 0; at < (sealed?.length ?? 0); at += 1) {
    const changed = Buffer.from(sealed ?? []);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => keyring.open(webhook, { ...kept, sealed: changed })).toThrow("and was changed");
  }
  for (const length of [0, 12, 28])
    expect(() => keyring.open(webhook, { ...kept, sealed: (sealed ?? Buffer.of()).subarray(0, length) })).toThrow();
});

test("keys are read in hexadecimal and base64, and have names that reveal nothing about them", () => {
  const key = randomBytes(32);
  const [hexadecimal, base64] = [key.toString("hex"), key.toString("base64")];
  const { keyIds } = parseKeyring(hexadecimal);
  expect(parseKeyring(base64).keyIds).toEqual(keyIds);
  expect(parseKeyring(` ${base64.replace("=", "")} , ${newKey()}`).keyIds).toEqual([keyIds[0], expect.any(String)]);
  expect(keyIds[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(hexadecimal).not.toContain(keyIds[0]);
  for (const wrong of ["x", hexadecimal.slice(1), `${hexadecimal}0`, `${base64},`, `${base64},${hexadecimal}`, "a b"])
    expect(() => parseKeyring(wrong)).toThrow(/^SECRET_KEY must (be 32 random bytes|not contain the same key twice)/);
});
