/** What the example server remembers, and how that changes. */
import { randomBytes, randomUUID } from "node:crypto";
import type { components } from "../../generated/types.ts";
import { HttpError, type NewWebhook } from "../../server/contract/index.ts";

type Schemas = components["schemas"];
type Webhook = Schemas["Webhook"];

/** A webhook and what belongs to it. */
export type Stored = {
  record: Webhook;
  addresses: Set<string>;
  /** In force. */
  secret: string;
  /** The one before it, which signs too for a day. */
  previous?: { secret: string; until: number };
  replays: Map<string, Schemas["Replay"]>;
};

const dayMs = 86_400_000;
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** A new webhook. */
export function newStored({ addresses, eventSignatures, ...wanted }: NewWebhook): Stored {
  const now = Date.now();
  const record: Webhook = {
    ...wanted,
    id: randomUUID(),
    status: "active",
    statusReason: "created",
    statusSince: now,
    createdAt: now,
    metadata: { addresses: [], eventSignatures: [...eventSignatures] },
    addressCount: 0,
    effectiveFromBlock: "1",
  };
  const stored = { record, addresses: new Set<string>(), secret: newSecret(), replays: new Map() };
  change(stored, addresses, "add");
  return stored;
}

/** Changes what a webhook watches. */
export function change(stored: Stored, addresses: readonly string[], how: "add" | "delete"): Schemas["AddressChange"] {
  const before = stored.addresses.size;
  for (const address of addresses) stored.addresses[how](address);
  const totalAddresses = stored.addresses.size;
  stored.record.metadata.addresses = [...stored.addresses].sort().slice(0, 1000);
  stored.record.addressCount = totalAddresses;
  return { changed: Math.abs(totalAddresses - before), totalAddresses, effectiveFromBlock: "1" };
}

/** Changes a webhook's fields. */
export function update({ record }: Stored, { status = record.status, ...fields }: Schemas["WebhookUpdate"]): Webhook {
  if (status !== record.status) Object.assign(record, { status, statusReason: "requested", statusSince: Date.now() });
  return Object.assign(record, fields);
}

/** Gives a webhook a new secret. */
export function rotate(stored: Stored): Schemas["WebhookSecret"] {
  stored.previous = { secret: stored.secret, until: Date.now() + dayMs };
  stored.secret = newSecret();
  return secretOf(stored);
}

/** The secret as the contract shows it. */
export function secretOf({ secret, previous }: Stored): Schemas["WebhookSecret"] {
  return previous && previous.until > Date.now() ? { secret, previousSecretExpiresAt: previous.until } : { secret };
}

/** What signs now. */
export function secretsOf({ secret, previous }: Stored): string[] {
  return previous && previous.until > Date.now() ? [secret, previous.secret] : [secret];
}

/** A replay of no blocks, since there is no chain: done at once. */
export function newReplay({ record, replays }: Stored, range: Schemas["ReplayCreate"]): Schemas["Replay"] {
  if (BigInt(range.fromBlock) > BigInt(range.toBlock)) throw new HttpError(400, "fromBlock must be at most toBlock.");
  const [id, now] = [randomUUID(), Date.now()];
  const counts = { resentCount: 0, addedCount: 0 };
  const replay = {
    id,
    webhookId: record.id,
    status: "done",
    ...range,
    ...counts,
    createdAt: now,
    finishedAt: now,
  } as const;
  replays.set(id, replay);
  return replay;
}

/** A page of a list, and the token for the next one, which is the key of its last member. */
export function page<Name extends string, T>(
  name: Name,
  all: T[],
  keyOf: (one: T) => string,
  { pageToken, pageSize }: { pageToken?: string; pageSize: number },
): Record<Name, T[]> & { nextPageToken?: string } {
  const start = pageToken === undefined ? 0 : all.findIndex((one) => keyOf(one) === pageToken) + 1;
  if (pageToken !== undefined && start === 0)
    throw new HttpError(400, "pageToken must be the nextPageToken of the page before.");
  const items = all.slice(start, start + pageSize);
  const last = start + pageSize < all.length ? items.at(-1) : undefined;
  const next = last === undefined ? {} : { nextPageToken: keyOf(last) };
  return { [name]: items, ...next } as Record<Name, T[]> & { nextPageToken?: string };
}

/** For what there is not. */
export function missing(what: string): never {
  throw new HttpError(404, `There is no such ${what}.`);
}
