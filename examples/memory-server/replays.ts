/** Replays without a chain: there is nothing to replay, so each is done immediately. */
import { randomUUID } from "node:crypto";
import { HttpError, type Output } from "chain-webhooks/server";
import type { components } from "chain-webhooks/types";
import type { Stored } from "./store.ts";

type Schemas = components["schemas"];

export function newReplay({ record, replays }: Stored, range: Schemas["ReplayCreate"]): Output<"createReplay"> {
  const above = BigInt(range.toBlock) - BigInt(range.fromBlock);
  if (above < 0n) throw new HttpError(400, "fromBlock must be at most toBlock.");
  if (above > 9_999n) throw new HttpError(400, "toBlock must be at most 9,999 above fromBlock.");
  const [id, now] = [randomUUID(), Date.now()];
  const times = { createdAt: now, finishedAt: now };
  const counts = { resentCount: 0, addedCount: 0 };
  const body: Schemas["Replay"] = { id, webhookId: record.id, status: "done", ...range, ...counts, ...times };
  replays.set(id, body);
  return { status: 202, headers: { Location: `/v1/webhooks/${record.id}/replays/${id}` }, body };
}
