/** Webhooks in memory, and how they change. Without a chain there is nothing to replay, so each replay is done immediately. */
import { randomBytes, randomUUID } from "node:crypto";
import { addressDigest } from "chain-webhooks/client";
import type { components } from "chain-webhooks/types";
import { HttpError, type NewWebhook, type Output, readHeaders, type WebhookHeader } from "chain-webhooks-tools/server";

type Schemas = components["schemas"];
type Webhook = Schemas["Webhook"];

export type Signing = {
  secret: string;
  /** Signs too for a day after a rotation. */
  previous?: { secret: string; until: number };
};

export type Stored = Signing & {
  record: Webhook;
  /** Its own ones, of which the record has the names. */
  headers: readonly WebhookHeader[];
  /** Falls from webhook to webhook, so that it rises in a list with the newest first. */
  place: string;
  addresses: Set<string>;
  /** Those that are made in parts. */
  changes: Map<string, { add: string[]; remove: string[]; done?: Schemas["AddressChangeState"] }>;
  replays: Map<string, Schemas["Replay"]>;
  /** The replay of addresses that were added with their past. */
  past?: string;
};

let lowest = Number.MAX_SAFE_INTEGER;

export function newStored(
  { addresses, eventSignatures, options = {}, ...wanted }: NewWebhook,
  headers: Stored["headers"],
): Stored {
  const { finality, compatibility, ...metadata } = options;
  const now = Date.now();
  const record: Webhook = {
    ...wanted,
    id: randomUUID(),
    status: "active",
    statusReason: "created",
    statusSince: now,
    createdAt: now,
    metadata: { addresses: [], eventSignatures: [...eventSignatures], ...metadata },
    ...{ addressCount: 0, addressDigest: addressDigest([]), effectiveFromBlock: "1" },
    ...(finality && { finality, heldCount: 0 }),
    ...(compatibility && { compatibility }),
    ...(wanted.url === undefined && { delivery: "feed" as const }),
  };
  lowest -= 1;
  const own = { headers, addresses: new Set<string>(), changes: new Map(), secret: newSecret(), replays: new Map() };
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
  stored.record.addressDigest = addressDigest(stored.addresses);
  return { ...stored.record, changed: Math.abs(totalAddresses - before), totalAddresses };
}

/** Adds a part to a change of addresses. @returns the addresses after it, too */
export function addPart({ addresses, changes }: Stored, changeId: string, part: { add: string[]; remove: string[] }) {
  const { done, ...before } = changes.get(changeId) ?? { add: [], remove: [] };
  const add = [...new Set([...before.add, ...part.add])];
  const remove = new Set([...before.remove, ...part.remove]);
  if (!done && add.length + remove.size > 0) changes.set(changeId, { add, remove: [...remove] });
  const after = new Set([...[...addresses].filter((address) => !remove.has(address)), ...add]);
  return { state: done ?? { changeId, committed: false, toAdd: add.length, toRemove: remove.size }, after };
}

export function update(stored: Stored, change: Schemas["WebhookUpdate"]): Webhook {
  const { record } = stored;
  const { status = record.status, headers, ...fields } = change;
  if (status !== record.status) Object.assign(record, { status, statusReason: "requested", statusSince: Date.now() });
  Object.assign(record, fields);
  if (record.maxPerSecond === 0) delete record.maxPerSecond;
  if (headers !== undefined) {
    stored.headers = readHeaders(headers);
    record.headerNames = stored.headers.map(([name]) => name);
    if (stored.headers.length === 0) delete record.headerNames;
  }
  return record;
}

const dayMs = 86_400_000;

export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

export function rotate(signing: Signing, next: string): Schemas["WebhookSecret"] {
  signing.previous = { secret: signing.secret, until: Date.now() + dayMs };
  signing.secret = next;
  return secretOf(signing);
}

/** The secret as the contract shows it. */
export function secretOf({ secret, previous }: Signing): Schemas["WebhookSecret"] {
  return previous && previous.until > Date.now() ? { secret, previousSecretExpiresAt: previous.until } : { secret };
}

/** The secrets that sign now. */
export function secretsOf({ secret, previous }: Signing): string[] {
  return previous && previous.until > Date.now() ? [secret, previous.secret] : [secret];
}

export function newReplay({ record, replays }: Stored, range: Schemas["ReplayCreate"]): Output<"createReplay"> {
  const above = BigInt(range.toBlock) - BigInt(range.fromBlock);
  if (above < 0n) throw new HttpError(400, "fromBlock must be at most toBlock.");
  const { includeEarlier = false, ...blocks } = range;
  const earlier = "the webhook's effectiveFromBlock, or includeEarlier must be true.";
  if (!includeEarlier && BigInt(range.fromBlock) < BigInt(record.effectiveFromBlock))
    throw new HttpError(400, `fromBlock must be at least ${record.effectiveFromBlock}, ${earlier}`);
  const [id, now] = [randomUUID(), Date.now()];
  const done = { status: "done", resentCount: 0, addedCount: 0, createdAt: now, finishedAt: now } as const;
  const body: Schemas["Replay"] = { id, webhookId: record.id, ...blocks, ...done };
  replays.set(id, body);
  return { status: 202, headers: { Location: `/v1/webhooks/${record.id}/replays/${id}` }, body };
}
