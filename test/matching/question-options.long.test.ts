/** Why a transaction matches a webhook with conditions, with a factory, or of any address: as the rule decides, and what decided. */
import { expect, test } from "vitest";
import { recordedBundle } from "../../scripts/local/recorded.ts";
import { compileAbi } from "../../server/matching/abi.ts";
import type { WebhookFilter, WebhookOptions } from "../../server/matching/new-webhook.ts";
import { participantsByTransaction } from "../../server/matching/participants.ts";
import { answerQuestion, type BlockQuestion } from "../../server/matching/question.ts";
import { matchBlock } from "../../server/matching/rule.ts";
import type { BlockBundle, Hex } from "../../server/matching/wire.ts";
import { addressOf, frame, hashOf, madeBundle, padded } from "./made-bundle.ts";

const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const filter = (options: WebhookOptions, changes: Partial<WebhookFilter> = {}): WebhookFilter => ({
  ...{ id: "", eventSignatures: new Set<string>(), includeInternalTxs: false, includeLogs: false },
  ...changes,
  options,
});
const number = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}` as Hex;
const [ours, other, token] = [addressOf(1), addressOf(2), addressOf(0xe)];
const moved = (from: Hex, to: Hex, value: bigint, address = token) => ({
  ...{ address, topics: [transfer as Hex, padded(from), padded(to)], data: number(value) },
});

function ask(bundle: BlockBundle, webhook: WebhookFilter, more: Partial<BlockQuestion> = {}) {
  const question = { webhook, watched: new Map([[ours, 0]]), payloads: false, ...more };
  return answerQuestion(bundle, "1", question).transactions;
}

type Abi = NonNullable<WebhookOptions["abi"]>;
type Conditions = NonNullable<WebhookOptions["conditions"]>;
const trees: Conditions[] = [
  { field: "transfer.value", op: "gte", value: "1000000000" },
  {
    all: [
      { field: "transfer.standard", op: "eq", value: "erc20" },
      { field: "transfer.direction", op: "eq", value: "in" },
    ],
  },
  { not: { field: "transfer.standard", op: "eq", value: "native" } },
  {
    any: [
      { field: "transaction.value", op: "gt", value: "0" },
      { field: "transfer.standard", op: "eq", value: "erc721" },
    ],
  },
  { field: "transaction.value", op: "gt", value: "0" },
];

test.each([
  ["mainnet/18951424", false, []],
  ["mainnet/18951424", false, [transfer]],
  ["mainnet-traced/19933122", true, []],
] as const)(
  "over the block %s with traces %s and signatures %j, what fulfils conditions has a part that does",
  (name, includeInternalTxs, signatures) => {
    const bundle = recordedBundle(name);
    const participants = participantsByTransaction(bundle);
    const everybody = new Set(participants.flatMap((one) => [...one.addresses, ...one.internalAddresses]));
    const watched = new Map([...everybody].filter((_, index) => index % 3 === 0).map((address) => [address, 0]));
    const seen = new Set<string>();
    for (const conditions of trees) {
      const webhook = filter({ conditions }, { includeInternalTxs, eventSignatures: new Set(signatures) });
      const matchedBy = (one: WebhookFilter) => {
        const watchedBy = new Map([...watched.keys()].map((address) => [address, [one]]));
        return new Set(
          matchBlock(participants, watchedBy, bundle).map(({ transaction }) => transaction.transactionHash),
        );
      };
      const [matched, unconditional] = [matchedBy(webhook), matchedBy({ ...webhook, options: {} })];
      // Of each reason a few, since each is asked alone.
      const some = participants.filter(({ transactionIndex }) => transactionIndex % 7 === 0);
      for (const { transactionHash: txHash } of some) {
        const [found] = ask(bundle, webhook, { watched, txHash });
        const isFound = matched.has(txHash);
        seen.add(found?.reason ?? "");
        expect(found?.reason === "matches", txHash).toBe(isFound);
        expect(
          found?.parts.some(({ matches }) => matches),
          txHash,
        ).toBe(isFound);
        expect(found?.decidedBy !== undefined, txHash).toBe(unconditional.has(txHash));
        if (!isFound && unconditional.has(txHash)) expect(found?.reason, txHash).toBe("condition_failed");
        // What decides for the whole of one comparison is that comparison.
        if (found?.decidedBy?.length && conditions.field) expect(found.decidedBy[0]?.holds).toBe(isFound);
      }
    }
    expect(seen).toContain("matches");
    expect(seen).toContain("condition_failed");
  },
);

test("of several logs, the one that comes closest is explained, with what it has", () => {
  const bundle = madeBundle({
    logs: [moved(other, ours, 5n, addressOf(0xd)), moved(other, ours, 7n), moved(other, addressOf(3), 5_000n)],
  });
  const conditions = {
    all: [
      { field: "transfer.direction", op: "eq", value: "in" },
      {
        any: [
          { field: "transfer.value", op: "gte", value: "1000" },
          { field: "transfer.tokenId", op: "in", value: ["1", "2"] },
        ],
      },
      { not: { field: "transfer.contract", op: "ne", value: token } },
    ],
  } satisfies Conditions;
  const webhook = filter({ conditions });
  expect(ask(bundle, webhook)).toEqual([]);
  const [failed] = ask(bundle, webhook, { txHash: hashOf(0, "d") });
  expect(failed).toMatchObject({
    ...{ matches: false, reason: "condition_failed" },
    message:
      "It does not match: the condition all.1.any.0 does not hold, the condition all.1.any.1 does not hold, for log 1.",
    decidedOn: { logIndex: 1, standard: "erc20", contract: token, from: other, to: ours, value: "7" },
  });
  expect(failed?.decidedBy).toEqual([
    { path: "all.1.any.0", field: "transfer.value", op: "gte", value: "1000", actual: "7", holds: false },
    { path: "all.1.any.1", field: "transfer.tokenId", op: "in", value: "1, 2", holds: false },
  ]);
});

test("a long text of a log is cut, and conditions without a log or transfer say so", () => {
  const text = `${"a".repeat(199)}😀${"b".repeat(30_000)}`;
  const said = Buffer.from(text).toString("hex");
  const words = Math.ceil(said.length / 64);
  const data =
    `0x${number(32n).slice(2)}${number(BigInt(said.length / 2)).slice(2)}${said.padEnd(words * 64, "0")}` as Hex;
  const abi: Abi = [{ type: "event", name: "Said", inputs: [{ name: "text", type: "string" }] }];
  const [saidTopic] = compileAbi(abi).signatures as Hex[];
  if (!saidTopic) throw new Error("The event has no signature.");
  const webhook = filter({ abi, conditions: { field: "args.text", op: "eq", value: "hello" } });
  const bundle = madeBundle({ to: ours, logs: [] }, { logs: [{ address: ours, topics: [saidTopic], data }] });
  const [silent, loud] = [0, 1].map((index) => ask(bundle, webhook, { txHash: hashOf(index, "d") })[0]);
  expect(silent).toMatchObject({
    reason: "condition_failed",
    decidedBy: [],
    message:
      "It does not match: no log or transfer for which the conditions could hold has a watched address and an event signature.",
  });
  expect(loud?.decidedBy?.[0]?.actual).toBe(`${"a".repeat(199)}…`);
});

const factory = addressOf(0xf1);
const [createdTopic, otherTopic] = [hashOf(1, "e"), hashOf(2, "e")];
const createdBy = { address: factory, eventSignature: createdTopic, argument: "topic1" } as const;
const child = addressOf(0xc);
const naming = { address: factory, topics: [createdTopic, padded(child)] };
const active = { address: child, topics: [otherTopic] };

test("a factory's contract is watched from the log after the one that names it; what comes before says where that is", () => {
  const bundle = madeBundle(
    { to: child },
    { logs: [active, naming, active] },
    { to: child },
    { logs: [active, naming] },
  );
  const webhook = filter({ createdBy });
  const at = (index: number, more: Partial<BlockQuestion> = {}) =>
    ask(bundle, webhook, { watched: new Map(), txHash: hashOf(index, "d"), ...more })[0];
  const namedBy = { blockNumber: "16", txHash: hashOf(1, "d"), logIndex: 1 };

  const before = at(0);
  expect(before).toMatchObject({ reason: "not_yet_effective", matches: true, fromBlock: "16" });
  expect(before?.parts).toEqual([{ address: child, role: "to", matches: true, namedBy }]);
  expect(before?.message).toBe(
    `It does not match: ${child} is watched only from its factory's log 1 of transaction ${hashOf(1, "d")} on.`,
  );
  expect(at(1)).toMatchObject({ reason: "matches" });
  expect(at(2)).toMatchObject({ reason: "matches", parts: [{ address: child, role: "to", matches: true, namedBy }] });
  // Of a whole block, only what is notified.
  expect(ask(bundle, webhook, { watched: new Map() }).map(({ transactionIndex }) => transactionIndex)).toEqual([
    1, 2, 3,
  ]);

  // Recorded before, it is watched from the block's begin; named later, not yet.
  const named = (block: number) => ({ named: new Map([[child, block]]) });
  expect(at(0, named(15))?.parts).toEqual([{ address: child, role: "to", matches: true }]);
  expect(at(0, named(15))?.reason).toBe("matches");
  const without = madeBundle({ to: child });
  const later = ask(without, webhook, { watched: new Map(), txHash: hashOf(0, "d"), ...named(20) })[0];
  expect(later).toMatchObject({ reason: "not_yet_effective", fromBlock: "20" });
  expect(later?.parts[0]).toMatchObject({ fromBlock: "20", namedBy: { blockNumber: "20" } });
  expect(later?.message).toBe(`It does not match: ${child} is watched only from its factory's log in block 20 on.`);
});

test("of any address, logs are named by their emitters, and native transfers by what decided", () => {
  const bundle = madeBundle(
    { logs: [{ address: token, topics: [otherTopic] }, moved(other, addressOf(3), 1n)] },
    { fields: { value: "0x5" } },
    {},
  );
  const bySignature = filter({ anyAddress: true }, { eventSignatures: new Set([transfer]) });
  const [matching] = ask(bundle, bySignature, { watched: new Map() });
  expect(matching).toMatchObject({ reason: "matches", partCount: 2 });
  expect(matching?.parts).toEqual([
    { address: token, role: "emitter", logIndex: 1, topic0: transfer, matches: true },
    { address: token, role: "emitter", logIndex: 0, topic0: otherTopic, matches: false },
  ]);
  expect(matching?.message).toBe(`It matches: ${token} is the emitter of log 1.`);
  const [silent] = ask(bundle, bySignature, { watched: new Map(), txHash: hashOf(2, "d") });
  expect(silent).toMatchObject({ reason: "other_event", parts: [] });
  expect(silent?.message).toBe("It does not match: it has no log with one of the event signatures.");

  const conditions = { field: "transfer.standard", op: "eq", value: "native" } as const;
  const native = ask(bundle, filter({ anyAddress: true, conditions }), { watched: new Map() });
  expect(native).toHaveLength(1);
  expect(native[0]).toMatchObject({
    transactionIndex: 1,
    reason: "matches",
    message: "It matches, by a native transfer.",
  });
  expect(native[0]?.decidedOn).toMatchObject({ standard: "native", value: "5" });
  const status = { field: "transaction.status", op: "eq", value: "1" } as const;
  const whole = ask(bundle, filter({ anyAddress: true, conditions: status }), { watched: new Map() });
  expect(whole.map(({ message, parts, decidedOn }) => [message, parts, decidedOn])).toEqual(
    [0, 1, 2].map(() => ["It matches.", [], undefined]),
  );
});

test("payloads are those of the options: transfers with what is known of tokens, decoded logs, finality", () => {
  const bundle = madeBundle({ to: ours, logs: [moved(other, ours, 1_500_000n)], trace: frame(other, ours) });
  const tokens = new Map([[token, { name: "Coin", symbol: "CN", decimals: 6 }]]);
  const payload = (options: WebhookOptions, depth?: number) => {
    const webhook = filter(options, { includeLogs: true });
    const question = { webhook, watched: new Map([[ours, 0]]), payloads: true, ...(depth !== undefined && { depth }) };
    const [found] = answerQuestion(bundle, "1", question, tokens).transactions;
    return JSON.parse(found?.eventText ?? "{}");
  };
  const { transaction } = payload({ includeTransfers: true });
  expect(transaction.erc20Transfers[0].erc20Token).toMatchObject({ symbol: "CN", valueWithDecimals: "1.5" });
  const input = (name: string, type: string, indexed: boolean) => ({ name, type, indexed });
  const inputs = [input("from", "address", true), input("to", "address", true), input("value", "uint256", false)];
  const abi: Abi = [{ type: "event", name: "Transfer", inputs }];
  expect(payload({ abi }).logs[0].decoded).toMatchObject({ name: "Transfer", args: { value: "1500000" } });
  expect(payload({})).not.toHaveProperty("confirmations");
  expect(payload({ finality: { confirmations: 12 } }, 3)).toMatchObject({ confirmations: 12 });
  expect(payload({ finality: "both" }, 3)).toMatchObject({ confirmations: 0 });
  expect(payload({ finality: "both" }, 3)).not.toHaveProperty("finalized");
  expect(payload({ finality: "finalized" }, 70)).toMatchObject({ confirmations: 70, finalized: true });
});

/** A transaction that `watched` is notified of, as the rule says and as a preview does, which must be the same. */
function reasonsOf(bundle: BlockBundle, watched: string, conditions: Conditions | undefined) {
  const webhook = filter(conditions ? { conditions } : {});
  const matched = matchBlock(participantsByTransaction(bundle), new Map([[watched, [webhook]]]), bundle);
  const [found] = ask(bundle, webhook, { watched: new Map([[watched, 0]]), txHash: hashOf(0, "d") });
  expect(found?.reason === "matches").toBe(matched.length > 0);
  return found;
}

test("the zero address of a Deposit, a Withdrawal and a creation takes no part, whatever else the transaction matches by", () => {
  const zero: Hex = `0x${"0".repeat(40)}`;
  const wraps = [
    "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c",
    "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65",
  ].map((topic0) => ({ address: token, topics: [topic0 as Hex, padded(ours)], data: number(5_000n) }));
  const large: Conditions = { field: "transfer.value", op: "gte", value: "1000" };
  const mint = moved(zero, ours, 1n);
  for (const wrap of wraps) {
    expect(reasonsOf(madeBundle({ logs: [wrap] }), zero, undefined)).toMatchObject({
      reason: "not_watched",
      parts: [],
    });
    expect(reasonsOf(madeBundle({ logs: [wrap] }), zero, large)).toMatchObject({ reason: "not_watched" });
    expect(reasonsOf(madeBundle({ logs: [mint, wrap] }), zero, large)).toMatchObject({
      ...{ reason: "condition_failed", decidedOn: { logIndex: 0 } },
      parts: [{ address: zero, role: "topic1", logIndex: 0, matches: false }],
    });
    expect(reasonsOf(madeBundle({ logs: [mint, wrap] }), ours, large)).toMatchObject({ reason: "matches" });
  }
  // Nobody receives what such a transaction moves, and its receipt names no contract.
  const creation = { to: null, fields: { value: "0x1388" as Hex }, logs: [mint] };
  expect(reasonsOf(madeBundle(creation), zero, large)).toMatchObject({ reason: "condition_failed" });
  expect(reasonsOf(madeBundle({ ...creation, to: zero }), zero, large)).toMatchObject({ reason: "matches" });
});

test("where no log or transfer matches by itself, conditions fail by no comparison", () => {
  const found = reasonsOf(madeBundle({ from: ours }), ours, { field: "transfer.value", op: "gte", value: "0" });
  expect(found).toMatchObject({ reason: "condition_failed", decidedBy: [] });
  expect(found?.decidedOn).toBeUndefined();
});
