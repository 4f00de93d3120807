/** Why a transaction matches: each part with its role, by the rule itself, bounded however much there is. */
import { expect, test } from "vitest";
import { recordedBundle } from "../../scripts/local/recorded.ts";
import type { WebhookFilter } from "../../server/matching/new-webhook.ts";
import { participantsByTransaction } from "../../server/matching/participants.ts";
import { answerQuestion } from "../../server/matching/question.ts";
import { matchBlock } from "../../server/matching/rule.ts";
import type { BlockBundle, Hex } from "../../server/matching/wire.ts";

const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const filter = (changes: Partial<WebhookFilter> = {}): WebhookFilter => ({
  ...{ id: "", eventSignatures: new Set<string>(), includeInternalTxs: false, includeLogs: false },
  ...changes,
});

test.each([
  ["mainnet/18951424", false, []],
  ["mainnet/18951424", false, [transfer]],
  ["mainnet-traced/19933122", true, []],
  ["mainnet-traced/19933122", true, [transfer]],
] as const)(
  "over the block %s with traces %s and signatures %j, a transaction matches if and only if a part does",
  (name, includeInternalTxs, signatures) => {
    const bundle = recordedBundle(name);
    const webhook = filter({ includeInternalTxs, eventSignatures: new Set(signatures) });
    const participants = participantsByTransaction(bundle);
    const everybody = new Set(participants.flatMap((one) => [...one.addresses, ...one.internalAddresses]));
    // A third of all who take part, whoever that is.
    const watched = new Map([...everybody].filter((_, index) => index % 3 === 0).map((address) => [address, 0]));
    const watchedBy = new Map([...watched.keys()].map((address) => [address, [webhook]]));
    const matched = new Set(matchBlock(participants, watchedBy).map(({ transaction }) => transaction.transactionHash));
    expect(matched.size).toBeGreaterThan(0);
    for (const { transactionHash: txHash } of participants) {
      const { transactions } = answerQuestion(bundle, "1", { webhook, watched, txHash, payloads: false });
      const [found] = transactions;
      expect(found?.matches, txHash).toBe(matched.has(txHash));
      expect(
        found?.parts.some(({ matches }) => matches),
        txHash,
      ).toBe(matched.has(txHash));
      expect(found?.reason, txHash).toBe(
        matched.has(txHash) ? "matches" : found?.partCount === 0 ? "not_watched" : "other_event",
      );
    }
    const whole = answerQuestion(bundle, "1", { webhook, watched, payloads: true });
    expect([whole.matchCount, whole.transactionCount]).toEqual([matched.size, participants.length]);
    expect(whole.transactions.length).toBe(Math.min(20, matched.size));
  },
);

test("of 10,000 logs twenty parts are shown, those that match first, and all are counted", () => {
  const bundle = structuredClone(recordedBundle("mainnet/18951424"));
  const emitter = "0x00000000000000000000000000000000000000ee";
  const [receipt] = bundle.receipts;
  if (!receipt) throw new Error("The block has no receipt.");
  const log = (topic: string, index: number) => ({
    ...{
      address: emitter as Hex,
      topics: [topic as Hex],
      data: "0x" as Hex,
      logIndex: `0x${index.toString(16)}` as Hex,
    },
  });
  receipt.status = "0x1";
  receipt.logs = Array.from({ length: 10_000 }, (_, index) =>
    log(index < 9_990 ? `0x${"1".repeat(64)}` : transfer, index),
  );
  const big: BlockBundle = { ...bundle };
  const webhook = filter({ eventSignatures: new Set([transfer]), includeLogs: true });
  const { user } = process.cpuUsage();
  const { transactions } = answerQuestion(big, "1", { webhook, watched: new Map([[emitter, 0]]), payloads: true });
  expect(process.cpuUsage().user - user).toBeLessThan(4_000_000);
  const [found] = transactions;
  expect(found).toMatchObject({ matches: true, partCount: 10_000 });
  expect(found?.parts.map(({ logIndex }) => logIndex)).toEqual([
    ...Array.from({ length: 10 }, (_, index) => 9_990 + index),
    ...Array.from({ length: 10 }, (_, index) => index),
  ]);
});

test("an address that is watched only from a later block on is named with it", () => {
  const bundle = recordedBundle("mainnet/18951424");
  const number = Number(bundle.block.number);
  const [, second] = bundle.block.transactions;
  const address = second?.from?.toLowerCase() ?? "";
  const ask = (from: number) =>
    answerQuestion(bundle, "1", {
      ...{ webhook: filter(), watched: new Map([[address, from]]), payloads: false },
      txHash: second?.hash ?? "",
    }).transactions[0];
  const now = ask(number);
  expect(now).toMatchObject({ reason: "matches" });
  expect(now?.parts[0]).toEqual({ address, role: "from", matches: true });
  expect(ask(number + 1)).toMatchObject({ reason: "not_yet_effective", matches: true, fromBlock: String(number + 1) });
});
