/** Webhooks in memory, and how they change. */
import { randomUUID } from "node:crypto";
import type { NewWebhook } from "chain-webhooks/server";
import type { components } from "chain-webhooks/types";
import { newSecret } from "./secrets.ts";

type Schemas = components["schemas"];
type Webhook = Schemas["Webhook"];

/** A webhook and what belongs to it. */
export type Stored = {
  record: Webhook;
  /** Falls from webhook to webhook, so that it rises in a list with the newest first. */
  place: string;
  addresses: Set<string>;
  secret: string;
  /** Signs too for a day after a rotation. */
  previous?: { secret: string; until: number };
  replays: Map<string, Schemas["Replay"]>;
};

let lowest = Number.MAX_SAFE_INTEGER;

export function newStored({ addresses, eventSignatures, options = {}, ...wanted }: NewWebhook): Stored {
  const { finality, ...metadata } = options;
  const now = Date.now();
  const record: Webhook = {
    ...wanted,
    id: randomUUID(),
    status: "active",
    statusReason: "created",
    statusSince: now,
    createdAt: now,
    metadata: { addresses: [], eventSignatures: [...eventSignatures], ...metadata },
    ...{ addressCount: 0, effectiveFromBlock: "1" },
    ...(finality && { finality, heldCount: 0 }),
  };
  lowest -= 1;
  const own = { addresses: new Set<string>(), secret: newSecret(), replays: new Map() };
  const stored = { record, place: String(lowest), ...own };
  change(stored, addresses, "add");
  return stored;
}

/** Changes what a webhook watches. The record shows 1,000 addresses at most. */
export function change(stored: Stored, addresses: readonly string[], how: "add" | "delete"): Schemas["AddressChange"] {
  const before = stored.addresses.size;
  for (const address of addresses) stored.addresses[how](address);
  const totalAddresses = stored.addresses.size;
  stored.record.metadata.addresses = [...stored.addresses].sort().slice(0, 1000);
  stored.record.addressCount = totalAddresses;
  return { ...stored.record, changed: Math.abs(totalAddresses - before), totalAddresses };
}

export function update({ record }: Stored, { status = record.status, ...fields }: Schemas["WebhookUpdate"]): Webhook {
  if (status !== record.status) Object.assign(record, { status, statusReason: "requested", statusSince: Date.now() });
  return Object.assign(record, fields);
}
