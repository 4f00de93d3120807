/** Each reason why a webhook was or was not notified, decided from what the rule says and what is on record. */
import { expect, test } from "vitest";
import type { AnsweredTransaction, OnRecord } from "../../server/matching/explanation.ts";
import { explain } from "../../server/matching/verdict.ts";

const txHash = `0x${"1".repeat(64)}`;
const transaction: AnsweredTransaction = {
  ...{ txHash, transactionIndex: 0, matches: true, reason: "matches", message: "It matches.", parts: [], partCount: 0 },
};
const found = { blockNumber: 100, blockHash: `0x${"2".repeat(64)}`, blockTimestamp: 1_000, transaction };
const webhook = {
  id: "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a",
  status: "active",
  statusSince: 0,
  effectiveFromBlock: "50",
} as const;
const recorded: OnRecord = {
  ...{ webhook, activeBefore: [], followed: 200, isOnOtherBranch: false, stoppedSince: undefined, isHeld: false },
  ...{ notifications: [], keptSince: 0 },
};
const notification = (sequence: number, removed: boolean) => ({
  ...{
    messageId: "0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10",
    sequence,
    blockNumber: "100",
    blockHash: found.blockHash,
    txHash,
  },
  ...{ removed, recordedAt: 1, status: "delivered" as const, attemptCount: 1 },
});
const inactive = { ...webhook, status: "inactive" } as const;

test.each<[string, Parameters<typeof explain>[1], Partial<OnRecord>, object]>([
  ["notified", found, { notifications: [notification(1, false)] }, { notified: true }],
  ["notified", undefined, { notifications: [notification(1, true), notification(2, false)] }, { notified: true }],
  ["retracted", undefined, { notifications: [notification(1, false), notification(2, true)] }, { notified: false }],
  ["retracted", "pending", { notifications: [notification(1, true)] }, {}],
  ["not_followed_yet", found, { notifications: [notification(1, true)], followed: 99 }, {}],
  ["pending", "pending", {}, {}],
  [
    "not_watched",
    { ...found, transaction: { ...transaction, matches: false, reason: "not_watched" } },
    { followed: 1 },
    { matches: false },
  ],
  ["not_yet_effective", found, { webhook: { ...webhook, effectiveFromBlock: "101" } }, { fromBlock: "101" }],
  [
    "not_yet_effective",
    { ...found, transaction: { ...transaction, reason: "not_yet_effective", fromBlock: "150" } },
    {},
    { fromBlock: "150" },
  ],
  [
    "webhook_inactive",
    found,
    { webhook: { ...webhook, effectiveFromBlock: "120" }, activeBefore: [{ from: 50, to: 90 }] },
    { fromBlock: "120" },
  ],
  ["webhook_inactive", found, { webhook: inactive, activeBefore: [{ from: 50, to: 100 }] }, {}],
  ["unexplained", found, { webhook: inactive, activeBefore: [{ from: 50, to: 101 }] }, {}],
  [
    "unexplained",
    found,
    {
      webhook: { ...webhook, effectiveFromBlock: "120" },
      activeBefore: [
        { from: 10, to: 20 },
        { from: 60, to: 110 },
      ],
    },
    {},
  ],
  ["webhook_inactive", found, { webhook: { ...inactive, statusSince: 900_000 } }, {}],
  ["unexplained", found, { webhook: { ...inactive, statusSince: 1_100_000 } }, {}],
  ["not_followed_yet", found, { followed: 99, stoppedSince: 7 }, { followedBlock: "99", stoppedSince: 7 }],
  ["not_followed_yet", found, { followed: undefined }, {}],
  ["not_followed_yet", found, { isOnOtherBranch: true }, {}],
  ["waiting_for_finality", found, { isHeld: true }, {}],
  ["not_kept", found, { keptSince: 1_000_001 }, {}],
  ["unexplained", found, {}, { notified: false, matches: true }],
])("%s", (reason, transactionFound, changes, more) => {
  const explanation = explain(txHash, transactionFound, { ...recorded, ...changes });
  expect(explanation).toMatchObject({ reason, ...more });
  expect(explanation.message).toMatch(/^[A-Z].*\.$/);
  expect(explanation.message).not.toMatch(/undefined|null|NaN/);
});
