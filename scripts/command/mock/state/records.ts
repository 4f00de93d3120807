/** What the mock keeps of each webhook and each notification, and how a webhook changes. */
import { randomBytes } from "node:crypto";
import { addressDigest } from "../../../../client/address-digest.ts";
import type { components } from "../../../../generated/types.ts";
import { readHeaders } from "../../../../server/contract/webhook-options.ts";
import type { OwnRate } from "../../../../server/delivery/endpoint/pace.ts";
import type { WebhookHeader } from "../../../../server/matching/new-webhook.ts";
import { shownAddresses } from "../../../../server/settings/limits.ts";
import { dayMs } from "../../../../server/settings/periods.ts";

type Schemas = components["schemas"];
type Webhook = Schemas["Webhook"];
type Attempt = Schemas["Attempt"];
type Event = Schemas["AddressActivityEvent"];

/** A webhook's own secret, or the account's shared one. */
export type MockSecret = {
  secret: string;
  /** Signs too for a day after a rotation. */
  previous?: { secret: string; until: number };
};

/** A webhook, and what belongs to it. */
export type MockWebhook = MockSecret & {
  record: Webhook;
  addresses: Set<string>;
  /** Those in parts, by their identifiers. */
  changes: Map<string, MockChange>;
  replays: Map<string, Schemas["Replay"]>;
  /** By messageId, in the order of their sequence. */
  notifications: Map<string, Kept>;
  /** The last one used. */
  sequence: number;
  /** Wait for an attempt, the first one first. */
  waiting: Kept[];
  inFlight: number;
  /** Ends the wait of its next POST: of a batch for more, of any for its rate. */
  gathering: NodeJS.Timeout | undefined;
  /** Its own ones, of which the record has the names. */
  headers: readonly WebhookHeader[];
  /** By the record's `maxPerSecond`. */
  rate: OwnRate;
  isDeleted: boolean;
  /** Whether it is one of the contract's, as it is there. */
  isExample: boolean;
};

/** A change of addresses that is made of parts. */
type MockChange = { parts: Map<string, ChangePart>; answer?: ChangeState };
type ChangeState = Schemas["AddressChangeState"];
type ChangePart = { add: readonly string[]; remove: readonly string[] };

/** A notification on record. */
export type Kept = {
  readonly webhook: MockWebhook;
  readonly messageId: string;
  readonly sequence: number;
  readonly eventText: string;
  readonly recordedAt: number;
  readonly transaction: Pick<Event["transaction"], "blockNumber" | "blockHash" | "txHash">;
  readonly removed: boolean;
  readonly attempts: Attempt[];
  /** How many of them the schedule made. */
  scheduled: number;
  retry: { at: number; timer: NodeJS.Timeout } | undefined;
  /** What makes the attempt that it waits for. */
  wanted: Attempt["trigger"] | undefined;
  isInFlight: boolean;
  /** Called with the next attempt, or undefined when there will be none now. */
  onAttempt: ((attempt: Attempt | undefined) => void)[];
};

export const newMockSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
export const newSharedSecret = (): string => randomBytes(32).toString("hex");

/** Changes what a webhook watches. */
export function change(
  webhook: MockWebhook,
  addresses: readonly string[],
  how: "add" | "delete",
): Schemas["AddressChange"] {
  const before = webhook.addresses.size;
  for (const address of addresses) webhook.addresses[how](address);
  const totalAddresses = webhook.addresses.size;
  webhook.record.addressDigest = addressDigest(webhook.addresses);
  webhook.record.metadata.addresses = [...webhook.addresses].sort().slice(0, shownAddresses);
  webhook.record.addressCount = totalAddresses;
  return { ...webhook.record, changed: Math.abs(totalAddresses - before), totalAddresses };
}

/** Adds a part to a change. @returns the change as it is then, and what gives the webhook's addresses after it, if it has any part */
export function addPart(
  { addresses, changes }: MockWebhook,
  changeId: string,
  part: ChangePart,
): { answer?: ChangeState | undefined; state: ChangeState; addressesAfter?: () => Set<string> } {
  const { answer, parts }: MockChange = changes.get(changeId) ?? { parts: new Map() };
  if (part.add.length + part.remove.length > 0) {
    parts.set(JSON.stringify(part), part);
    if (!answer) changes.set(changeId, { parts });
  }
  const all = [...parts.values()];
  const count = (side: keyof ChangePart) => all.reduce((sum, each) => sum + each[side].length, 0);
  const state = { changeId, committed: false, toAdd: count("add"), toRemove: count("remove") };
  if (all.length === 0) return { answer, state };
  const addressesAfter = () => {
    const remove = new Set(all.flatMap((each) => each.remove));
    return new Set([...addresses].filter((address) => !remove.has(address)).concat(all.flatMap((each) => each.add)));
  };
  return { answer, state, addressesAfter };
}

/** Remembers what a commit answered. */
export function commitChange({ changes }: MockWebhook, answer: ChangeState): ChangeState {
  changes.set(answer.changeId, { parts: new Map(), answer });
  return answer;
}

export function update(webhook: MockWebhook, change: Schemas["WebhookUpdate"]): Webhook {
  const { record } = webhook;
  const { status = record.status, headers, ...fields } = change;
  if (status !== record.status) Object.assign(record, { status, statusReason: "requested", statusSince: Date.now() });
  Object.assign(record, fields);
  if (record.maxPerSecond === 0) delete record.maxPerSecond;
  if (headers !== undefined) {
    webhook.headers = readHeaders(headers);
    record.headerNames = webhook.headers.map(([name]) => name);
    if (webhook.headers.length === 0) delete record.headerNames;
  }
  return record;
}

/** @param next from `newMockSecret` or `newSharedSecret` */
export function rotate(of: MockSecret, next: string): Schemas["WebhookSecret"] {
  of.previous = { secret: of.secret, until: Date.now() + dayMs };
  of.secret = next;
  return secretOf(of);
}

const signsToo = ({ previous }: MockSecret) => (previous && previous.until > Date.now() ? previous : undefined);

/** The secret as the contract shows it. */
export function secretOf(of: MockSecret): Schemas["WebhookSecret"] {
  const previous = signsToo(of);
  return { secret: of.secret, ...(previous && { previousSecretExpiresAt: previous.until }) };
}

/** The secrets that sign now. */
export function secretsOf(of: MockSecret): string[] {
  const previous = signsToo(of);
  return [of.secret, ...(previous ? [previous.secret] : [])];
}
