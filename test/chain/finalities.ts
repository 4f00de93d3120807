/** The finalities that a webhook can have, one at random. */
import fc from "fast-check";
import type { WebhookOptions } from "../../server/matching/new-webhook.ts";

export type Finality = WebhookOptions["finality"];

/** Half of them have none, as most webhooks. */
export const anyFinality: fc.Arbitrary<{ finality?: NonNullable<Finality> }> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 4,
    arbitrary: fc.record({
      finality: fc.constantFrom<NonNullable<Finality>>("finalized", "both", { confirmations: 1 }, { confirmations: 3 }),
    }),
  },
);
