/**
 * Whole blocks with many webhooks of every kind, in random order: each is notified of what it would be alone, by a naive evaluator,
 * and a preview says the same of each.
 */

import { expect, test } from "vitest";
import { recordedBundle } from "../../scripts/local/recorded.ts";
import { answerQuestion } from "../../server/matching/question.ts";
import { runs } from "../support/runs.ts";
import { seeded } from "../support/seeded.ts";
import { assertAsAlone, makeWebhooks, notificationsOf, watcherOf } from "./many-webhooks.ts";

test.each([
  ["mainnet-traced/19933122", 1],
  ["mainnet-traced/9069000", 2],
  ["mainnet-traced/6196166", 3],
])("of the block %s, each of many webhooks is notified as it would be alone (seed %i)", async (name, seed) => {
  expect(await assertAsAlone(recordedBundle(name), 60, seed)).toBeGreaterThan(60);
});

test("conditions that nothing fulfils match nothing, also after another webhook's in the block", async () => {
  const bundle = recordedBundle("mainnet-traced/6196166");
  const of = { eventSignatures: [], includeInternalTxs: false };
  const compare = (field: string, op: "gte" | "eq", value: string) => ({ field, op, value });
  const first = { any: [compare("transaction.value", "gte", "0"), compare("transaction.status", "eq", "0")] };
  const none = {
    any: [
      compare("transfer.value", "gte", `1${"0".repeat(60)}`),
      compare("transfer.tokenId", "eq", "12345678987654321"),
    ],
  };
  const sender = bundle.block.transactions[0]?.from?.toLowerCase() ?? "";
  const matched = await notificationsOf(bundle, [
    { ...of, id: "00000000-0000-0000-0000-00000000000a", addresses: [sender], options: { conditions: first } },
    {
      ...of,
      id: "00000000-0000-0000-0000-00000000000b",
      addresses: [],
      options: { anyAddress: true, conditions: none },
    },
  ]);
  expect([...matched.keys()].filter((key) => !key.endsWith("a"))).toEqual([]);
});

test("what a preview says of a webhook and a transaction is what is notified, to the byte", async () => {
  const bundle = recordedBundle("mainnet-traced/19933122");
  const webhooks = makeWebhooks(bundle, runs(75, 150), 4);
  const notified = await notificationsOf(bundle, webhooks);
  const below = seeded(5);
  const reasons = new Map<string, number>();
  for (const webhook of webhooks) {
    const own = [...notified.keys()].filter((key) => key.endsWith(webhook.id)).map((key) => Number.parseInt(key, 10));
    for (const index of [own[0] ?? 0, below(bundle.block.transactions.length)]) {
      const question = {
        ...{ webhook: watcherOf(webhook), watched: new Map(webhook.addresses.map((address) => [address, 0])) },
        ...{ txHash: bundle.block.transactions[index]?.hash ?? "", payloads: true },
      };
      const [found] = answerQuestion(bundle, "1", question).transactions;
      const text = notified.get(`${index}:${webhook.id}`);
      const about = `${webhook.id} ${index}`;
      expect(found?.reason === "matches", about).toBe(text !== undefined);
      expect(found?.eventText, about).toBe(text);
      const isExplained = found?.parts.some(({ matches }) => matches) || webhook.options?.anyAddress;
      if (text !== undefined) expect(isExplained, about).toBe(true);
      reasons.set(found?.reason ?? "", (reasons.get(found?.reason ?? "") ?? 0) + 1);
    }
  }
  for (const reason of ["matches", "condition_failed", "other_event", "not_watched"])
    expect(reasons.get(reason), reason).toBeGreaterThan(1);
});
