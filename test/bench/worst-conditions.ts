/** What one account's conditions cost at their worst: its whole quota of comparisons, none of which holds for any of a block's 10,000 logs. */

import type { WebhookFilter, WebhookOptions } from "../../server/matching/new-webhook.ts";
import { participantsByTransaction } from "../../server/matching/participants.ts";
import { matchBlock } from "../../server/matching/rule.ts";
import type { Hex } from "../../server/matching/wire.ts";
import { readLimits } from "../../server/settings/limits.ts";
import { addressOf, madeBundle, padded } from "../matching/made-bundle.ts";
import { transferTopic } from "./fill-rules.ts";

type Condition = NonNullable<WebhookOptions["conditions"]>;

const [transactions, logs] = [200, 50];
const token = addressOf(1);
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, "0")}`;

const block = () =>
  madeBundle(
    ...Array.from({ length: transactions }, (_, index) => ({
      logs: Array.from({ length: logs }, (_, log) => ({
        ...{ address: token, data: word(1_000_000 + index * logs + log) },
        topics: [transferTopic as Hex, padded(addressOf(1_000 + index * logs + log)), padded(addressOf(2))],
      })),
    })),
  );

/** Each compares something else. */
function comparison(n: number): Condition {
  const kinds: Condition[] = [
    { field: "transfer.value", op: "gt", value: String(2_000_000 + n) },
    { field: "transfer.value", op: "eq", value: String(2_000_000 + n) },
    { field: "transfer.from", op: "in", value: [addressOf(100_000 + n), addressOf(200_000 + n)] },
    { field: "transfer.direction", op: "in", value: ["in", "out"] },
  ];
  return kinds[n % kinds.length] ?? {};
}

/** @param each how many a webhook has @returns ms, the least of several runs */
export function measureWorstConditions(each: number): number {
  const quota = readLimits({}).quotas.comparisons ?? 0;
  const webhooks = Array.from({ length: quota / each }, (_, index): WebhookFilter => {
    const any = Array.from({ length: each }, (_, n) => comparison(index * each + n));
    const flags = { includeInternalTxs: false, includeLogs: false };
    return { id: `webhook ${index}`, eventSignatures: new Set(), ...flags, options: { conditions: { any } } };
  });
  const samples = Array.from({ length: 10 }, () => {
    const bundle = block();
    const participants = participantsByTransaction(bundle);
    const startedAt = performance.now();
    matchBlock(participants, new Map([[token, webhooks]]), bundle);
    return performance.now() - startedAt;
  });
  return Math.round(Math.min(...samples));
}
