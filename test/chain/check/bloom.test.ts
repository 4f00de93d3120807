/** A bloom never denies a block in which a webhook matches, whatever its logs and whatever is watched. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordedBlocks } from "../../../scripts/local/recorded.ts";
import { bloomsOf, bloomTest, union } from "../../../server/chain/check/encoding/receipt.ts";
import { participantsOf } from "../../../server/matching/participants.ts";
import type { BlockBundle, Hex } from "../../../server/matching/wire.ts";
import { arbitraryBundle, arbitraryWebhooks, webhooksWatching } from "../../matching/arbitrary-bundle.ts";
import { type NaiveWebhook, naiveMatches } from "../../matching/naive.ts";
import { isSearched, runs } from "../../support/runs.ts";

const bloomOf = ({ receipts }: BlockBundle): Hex => `0x${Buffer.from(union(bloomsOf(receipts))).toString("hex")}`;

/** Those that can match by a log only, each for itself. */
function assertNeverDenied(bundle: BlockBundle, webhooks: readonly NaiveWebhook[]): void {
  const bloom = bloomOf(bundle);
  for (const webhook of webhooks) {
    const { addresses, eventSignatures } = webhook;
    if (eventSignatures.length === 0) continue;
    const isDenied = !bloomTest([{ signatures: eventSignatures, addresses }])(bloom);
    if (isDenied) expect(naiveMatches(bundle, [{ ...webhook, includeInternalTxs: false }])).toEqual([]);
  }
}

test("on random blocks", () => {
  fc.assert(fc.property(arbitraryBundle, arbitraryWebhooks, assertNeverDenied), { numRuns: runs(200, 4_000) });
});

test.each(recordedBlocks().filter((block) => isSearched(block) && block.bundle.receipts.length > 0))(
  "on recorded block $name, whose own bloom it is",
  ({ bundle }) => {
    const participants = participantsOf(bundle) as Hex[];
    const topics = bundle.receipts.flatMap(({ logs }) => logs.flatMap((log) => log.topics.slice(0, 1)));
    const webhooks = webhooksWatching(participants, [...new Set(topics)]);
    fc.assert(
      fc.property(webhooks, (webhooks) => assertNeverDenied(bundle, webhooks)),
      { numRuns: runs(5, 20) },
    );
  },
);

const topic: Hex = `0x${"a1".repeat(32)}`;
const address: Hex = `0x${"b2".repeat(20)}`;
const bloomWith = (logs: { address: Hex; topics: Hex[] }[]) =>
  bloomOf({ receipts: [{ logs }] } as unknown as BlockBundle);

test("an emitter and an indexed argument count, beside one of the signatures; one of the two alone does not", () => {
  const test = bloomTest([{ signatures: [topic], addresses: [address] }]);
  const other: Hex = `0x${"c3".repeat(20)}`;
  const argument: Hex = `0x${address.slice(2).padStart(64, "0")}`;
  expect(test(bloomWith([{ address, topics: [topic] }]))).toBe(true);
  expect(test(bloomWith([{ address: other, topics: [topic, topic, topic, argument] }]))).toBe(true);
  expect(test(bloomWith([{ address: other, topics: [topic] }]))).toBe(false);
  expect(test(bloomWith([{ address, topics: [] }]))).toBe(false);
  expect(test(bloomWith([]))).toBe(false);
  const anywhere = bloomTest([{ signatures: [topic], addresses: undefined }]);
  expect(anywhere(bloomWith([{ address: other, topics: [topic] }]))).toBe(true);
  expect(anywhere(bloomWith([{ address, topics: [] }]))).toBe(false);
});
