/** The sentences of the matching rule, each by its cases. */
import { describe, expect, it } from "vitest";
import type { WebhookFilter } from "../../server/matching/new-webhook.ts";
import { participantsByTransaction } from "../../server/matching/participants.ts";
import { matchBlock } from "../../server/matching/rule.ts";
import type { Hex } from "../../server/matching/wire.ts";
import { addressOf, frame, hashOf, type MadeTransaction, madeBundle, padded, receiver, sender } from "./made-bundle.ts";

const watched = addressOf(1);
const other = addressOf(2);
const transfer = hashOf(1, "e");
const approval = hashOf(2, "e");

function webhook(id: string, more: Partial<WebhookFilter> = {}): WebhookFilter {
  return { id, eventSignatures: new Set(), includeInternalTxs: false, includeLogs: false, ...more };
}

function matches(transaction: MadeTransaction, more: Partial<WebhookFilter>): boolean {
  const watchedBy = new Map([[watched, [webhook("w", more)]]]);
  return matchBlock(participantsByTransaction(madeBundle(transaction)), watchedBy).length > 0;
}

const mixedCase = (hex: Hex): Hex => `0x${hex.slice(2).toUpperCase()}`;
const log = (address: Hex, ...topics: Hex[]) => ({ address, topics });
const inFrame = (from: Hex, to: Hex, error?: string) => frame(from, to, error === undefined ? {} : { error });
const traced = (...calls: ReturnType<typeof frame>[]) => ({ trace: frame(sender, receiver, { calls }) });

type Case = [says: string, transaction: MadeTransaction, expected: boolean];

describe("Without signatures, an address matches", () => {
  const cases: Case[] = [
    ["as from", { from: watched }, true],
    ["as to", { to: watched }, true],
    ["as the created contract", { to: null, contractAddress: watched }, true],
    ["as the emitter of a log", { logs: [log(watched)] }, true],
    ["as topic1 of a log", { logs: [log(other, transfer, padded(watched))] }, true],
    ["as topic2 of a log", { logs: [log(other, transfer, padded(other), padded(watched))] }, true],
    ["as topic3 of a log", { logs: [log(other, transfer, padded(other), padded(other), padded(watched))] }, true],
    ["in whatever letter case the node returns it", { from: mixedCase(watched) }, true],
    ["as a topic in whatever letter case", { logs: [log(other, transfer, mixedCase(padded(watched)))] }, true],
    ["as from of a transaction that failed", { from: watched, status: "0x0" }, true],
    ["as to of a transaction that failed", { to: watched, status: "0x0" }, true],
    ["as from where the receipt has no status", { from: watched, status: null }, true],
    ["not when it takes no part", {}, false],
    ["not as topic0", { logs: [log(other, padded(watched))] }, false],
    [
      "not in a topic with anything before it",
      { logs: [log(other, transfer, `0x01${padded(watched).slice(4)}`)] },
      false,
    ],
    ["not in a log's data", { logs: [{ ...log(other, transfer), data: padded(watched) }] }, false],
    ["not as the contract of a creation that failed", { to: null, contractAddress: watched, status: "0x0" }, false],
    ["not by a log of a transaction that failed", { status: "0x0", logs: [log(watched, transfer)] }, false],
  ];
  it.each(cases)("%s", (_, transaction, expected) => {
    expect(matches(transaction, {})).toBe(expected);
  });

  it("not the zero address where a transaction creates a contract", () => {
    const zero: Hex = `0x${"0".repeat(40)}`;
    const watchedBy = new Map([[zero, [webhook("w")]]]);
    const bundle = madeBundle({ to: null, contractAddress: other }, { contractAddress: zero }, { to: zero });
    expect(
      matchBlock(participantsByTransaction(bundle), watchedBy).map(({ transaction }) => transaction.transactionIndex),
    ).toEqual([2]);
  });
});

describe("As a party of a call frame, with internal transactions, an address matches", () => {
  const below = (...calls: ReturnType<typeof frame>[]) => frame(other, receiver, { calls });
  const cases: Case[] = [
    ["as its caller", traced(inFrame(watched, other)), true],
    ["as the one called", traced(inFrame(receiver, watched)), true],
    ["at any depth", traced(below(below(inFrame(other, watched)))), true],
    ["in whatever letter case", traced(inFrame(receiver, mixedCase(watched))), true],
    ["next to a frame that reverted", traced(inFrame(other, watched, "out of gas"), inFrame(other, watched)), true],
    ["not when the frame reverted", traced(inFrame(receiver, watched, "execution reverted")), false],
    ["not below a frame that reverted", traced({ ...below(inFrame(other, watched)), error: "out of gas" }), false],
    ["not below a top frame that failed", { trace: { ...below(inFrame(other, watched)), error: "revert" } }, false],
    ["not when the transaction failed", { ...traced(inFrame(receiver, watched)), status: "0x0" }, false],
  ];
  it.each(cases)("%s", (_, transaction, expected) => {
    expect(matches(transaction, { includeInternalTxs: true })).toBe(expected);
    expect(matches(transaction, { includeInternalTxs: false })).toBe(false);
  });
});

describe("With signatures, an address matches", () => {
  const signatures = { eventSignatures: new Set([transfer]) };
  const cases: Case[] = [
    ["as the emitter of a log with one of them", { logs: [log(watched, transfer)] }, true],
    ["as an indexed argument of a log with one of them", { logs: [log(other, transfer, padded(watched))] }, true],
    ["in a later log", { logs: [log(other, approval), log(watched, transfer)] }, true],
    ["by a topic0 in whatever letter case", { logs: [log(watched, mixedCase(transfer))] }, true],
    ["not by a log with another", { logs: [log(watched, approval)] }, false],
    ["not by a log without topics", { logs: [log(watched)] }, false],
    ["not by two logs, one with each", { logs: [log(watched, approval), log(other, transfer)] }, false],
    ["not as from, though another's log has one", { from: watched, logs: [log(other, transfer)] }, false],
    ["not as to, though another's log has one", { to: watched, logs: [log(other, transfer)] }, false],
    ["not when the signature is another topic", { logs: [log(watched, approval, transfer)] }, false],
    ["not by a transaction that failed", { from: watched, status: "0x0" }, false],
    ["not by a call frame", { ...traced(inFrame(receiver, watched)), logs: [log(other, transfer)] }, false],
  ];
  it.each(cases)("%s", (_, transaction, expected) => {
    expect(matches(transaction, { ...signatures, includeInternalTxs: true })).toBe(expected);
  });

  it("by any one of several", () => {
    const eventSignatures = new Set([transfer, approval]);
    expect(matches({ logs: [log(watched, approval)] }, { eventSignatures })).toBe(true);
  });
});

describe("A block's matches", () => {
  it("are one for each webhook and transaction, however many addresses and logs match", () => {
    const both = webhook("w", { eventSignatures: new Set([transfer, approval]) });
    const watchedBy = new Map([
      [watched, [both]],
      [other, [both]],
    ]);
    const logs = [log(watched, transfer, padded(other)), log(other, approval), log(watched, transfer)];
    expect(matchBlock(participantsByTransaction(madeBundle({ logs })), watchedBy)).toHaveLength(1);
  });

  it("come in chain order, and within a transaction by the webhook's id", () => {
    const watchedBy = new Map([
      [watched, [webhook("b"), webhook("c")]],
      [other, [webhook("a"), webhook("c")]],
    ]);
    const bundle = madeBundle({ from: watched, to: other }, {}, { to: watched });
    const order = matchBlock(participantsByTransaction(bundle), watchedBy).map(
      ({ transaction, webhook }) => `${transaction.transactionIndex}${webhook.id}`,
    );
    expect(order).toEqual(["0a", "0b", "0c", "2b", "2c"]);
  });

  it("carry whatever the caller knows of a webhook", () => {
    const watchedBy = new Map([[watched, [{ ...webhook("w"), shard: 7 }]]]);
    expect(matchBlock(participantsByTransaction(madeBundle({ from: watched })), watchedBy)[0]?.webhook.shard).toBe(7);
  });

  it("look at a webhook's signatures once, however many logs its address is in", () => {
    let looks = 0;
    const counting = {
      ...webhook("w"),
      get eventSignatures() {
        looks += 1;
        return new Set([approval]);
      },
    };
    const logs = Array.from({ length: 2000 }, () => log(watched, transfer, padded(watched)));
    const bundle = madeBundle({ logs }, { logs });
    expect(matchBlock(participantsByTransaction(bundle), new Map([[watched, [counting]]]))).toEqual([]);
    expect(looks).toBe(1);
  });
});
