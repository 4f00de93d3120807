/** Conditions against an independent statement of them, on random blocks and on the recorded ones. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedBlocks } from "../../scripts/local/recorded.ts";
import type { WebhookFilter } from "../../server/matching/new-webhook.ts";
import { participantsByTransaction, participantsOf } from "../../server/matching/participants.ts";
import { matchBlock } from "../../server/matching/rule.ts";
import type { BlockBundle } from "../../server/matching/wire.ts";
import { isSearched, runs } from "../support/runs.ts";
import { arbitraryActivity, conditionalWebhooks } from "./arbitrary-conditions.ts";
import { type NaiveWebhook, naiveMatches } from "./naive.ts";

function realMatches(bundle: BlockBundle, webhooks: readonly NaiveWebhook[]): string[] {
  const participants = new Set(participantsOf(bundle));
  const watchedBy = new Map<string, WebhookFilter[]>();
  for (const { addresses, eventSignatures, ...webhook } of webhooks) {
    const filter = { ...webhook, eventSignatures: new Set(eventSignatures), includeLogs: false };
    for (const address of addresses)
      if (participants.has(address)) watchedBy.set(address, [...(watchedBy.get(address) ?? []), filter]);
  }
  return matchBlock(participantsByTransaction(bundle), watchedBy, bundle).map(
    ({ transaction, webhook }) => `${transaction.transactionIndex}:${webhook.id}`,
  );
}

describe("Conditions agree with their naive statement", () => {
  it("on random blocks of transfers and events", () => {
    let matched = 0;
    fc.assert(
      fc.property(arbitraryActivity, conditionalWebhooks, (bundle, webhooks) => {
        const expected = naiveMatches(bundle, webhooks);
        matched += expected.length;
        expect(realMatches(bundle, webhooks)).toEqual(expected);
      }),
      { numRuns: runs(100, 1_000) },
    );
    expect(matched).toBeGreaterThan(runs(10, 200));
  });

  const busy = recordedBlocks().filter((block) => isSearched(block) && participantsOf(block.bundle).length > 0);
  it.each(busy)("on recorded block $name", ({ bundle }) => {
    const participants = participantsOf(bundle);
    const watching = fc.tuple(
      conditionalWebhooks,
      fc.array(fc.constantFrom(...participants), { minLength: 1, maxLength: 5 }),
    );
    fc.assert(
      fc.property(watching, ([made, addresses]) => {
        const webhooks = made.map((webhook) => ({ ...webhook, addresses, eventSignatures: [] }));
        expect(realMatches(bundle, webhooks)).toEqual(naiveMatches(bundle, webhooks));
      }),
      { numRuns: runs(1, 3), endOnFailure: true },
    );
  });
});
