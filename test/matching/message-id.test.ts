/** The identifiers of notifications, which must never change. */
import { v5 } from "uuid";
import { expect, it } from "vitest";
import { messageIdOf } from "../../server/matching/message-id.ts";

const identity = {
  webhookId: "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a",
  blockHash: "0xd24fd73f794058a3807db926d8898c6481e902b7edb91ce0d479d6760f276183",
  transactionHash: "0xbb4b3fc2b746877dce70862850602f1d19bd890ab4db47e6b7ee1da1fe578a0d",
  occurrence: 0,
};

it("A messageId never changes", () => {
  expect([0, 1, 2].map((occurrence) => messageIdOf({ ...identity, occurrence }))).toEqual([
    "0a247ec9-4dbc-5112-a76c-29a697d5631d",
    "e1737002-6dd1-50ea-9181-1f9fe6bcc3dd",
    "818caa75-9b3a-5848-8ffc-f4969792b0d7",
  ]);
});

it("A messageId is the UUIDv5 that others make of the same name", () => {
  const { webhookId, blockHash, transactionHash } = identity;
  const others = v5(`${webhookId}/${blockHash}/${transactionHash}/0`, "cd89128f-8776-4928-8964-98723da77637");
  expect(messageIdOf(identity)).toBe(others);
});

it("A messageId does not depend on letter case", () => {
  const blockHash = identity.blockHash.toUpperCase().replace("X", "x");
  expect(messageIdOf({ ...identity, blockHash })).toBe(messageIdOf(identity));
});

it("A messageId differs with everything that identifies a notification", () => {
  const other = `0x${"1".repeat(64)}`;
  const ids = [
    messageIdOf(identity),
    messageIdOf({ ...identity, webhookId: "f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52" }),
    messageIdOf({ ...identity, blockHash: other }),
    messageIdOf({ ...identity, transactionHash: other }),
    messageIdOf({ ...identity, occurrence: 1 }),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});
