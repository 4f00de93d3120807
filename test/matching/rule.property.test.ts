/** The rule against an independent statement of it, on random blocks and on the recorded ones. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedBlocks } from "../../scripts/local/recorded.ts";
import type { WebhookFilter } from "../../server/matching/new-webhook.ts";
import { participantsByTransaction, participantsOf } from "../../server/matching/participants.ts";
import { matchBlock } from "../../server/matching/rule.ts";
import type { BlockBundle, Hex } from "../../server/matching/wire.ts";
import { isSearched, runs } from "../support/runs.ts";
import { arbitraryBundle, arbitraryWebhooks, webhooksWatching } from "./arbitrary-bundle.ts";
import { type NaiveWebhook, naiveMatches } from "./naive.ts";

function realMatches(bundle: BlockBundle, webhooks: NaiveWebhook[]): string[] {
  const watchedBy = new Map<string, WebhookFilter[]>();
  for (const { id, addresses, eventSignatures, includeInternalTxs } of webhooks) {
    const filter = { id, eventSignatures: new Set(eventSignatures), includeInternalTxs, includeLogs: false };
    for (const address of addresses) watchedBy.set(address, [...(watchedBy.get(address) ?? []), filter]);
  }
  const transactions = participantsByTransaction(bundle);
  const participants = new Set(participantsOf(bundle));
  const found = new Map([...watchedBy].filter(([address]) => participants.has(address)));
  return matchBlock(transactions, found).map(
    ({ transaction, webhook }) => `${transaction.transactionIndex}:${webhook.id}`,
  );
}

describe("The matching rule agrees with its naive statement", () => {
  it("on random blocks", () => {
    fc.assert(
      fc.property(arbitraryBundle, arbitraryWebhooks, (bundle, webhooks) => {
        expect(realMatches(bundle, webhooks)).toEqual(naiveMatches(bundle, webhooks));
      }),
      { numRuns: runs(100, 2_000) },
    );
  });

  const busy = recordedBlocks().filter((block) => isSearched(block) && block.bundle.receipts.length > 0);
  it.each(busy)("on recorded block $name", ({ bundle }) => {
    const participants = participantsOf(bundle) as Hex[];
    const topics = bundle.receipts.flatMap(({ logs }) => logs.flatMap((log) => log.topics.slice(0, 1)));
    const webhooks = webhooksWatching(participants, [...new Set(topics)]);
    fc.assert(
      fc.property(webhooks, (webhooks) => {
        expect(realMatches(bundle, webhooks)).toEqual(naiveMatches(bundle, webhooks));
      }),
      { numRuns: runs(2, 10) },
    );
  });
});
