/**
 * The webhooks that the mock remembers. At first they are the contract's
 * examples. These are listed until a webhook is created, and can be read, changed and deleted by their ids.
 */
import { randomUUID } from "node:crypto";
import { addressDigest } from "../../../../client/address-digest.ts";
import type { components } from "../../../../generated/types.ts";
import { webhookNotFound } from "../../../../server/base/errors.ts";
import type { Contract } from "../../../../server/contract/contract.ts";
import { OwnRate } from "../../../../server/delivery/endpoint/pace.ts";
import { type NewWebhook, shownOptions, type WebhookHeader } from "../../../../server/matching/new-webhook.ts";
import { exampleSecret } from "../../notifications/secret.ts";
import { change, type MockWebhook } from "./records.ts";

type Webhook = components["schemas"]["Webhook"];

export type Webhooks = {
  create(wanted: NewWebhook & { headers: readonly WebhookHeader[] }): MockWebhook;
  /** @throws {ServiceError} `webhook_not_found` */
  get(id: string): MockWebhook;
  has(id: string): boolean;
  /** The newest first. Examples are among them until a webhook is created or an example changed. */
  list(): MockWebhook[];
  /** Those that belong to the account: all but untouched examples. */
  own(): MockWebhook[];
  /** Makes all examples webhooks like others. */
  adopt(): void;
  delete(webhook: MockWebhook): void;
  reset(): void;
};

/** Makes an account with the contract's examples. */
export function createWebhooks(contract: Contract): Webhooks {
  let byId = new Map<string, MockWebhook>();
  let lastCreatedAt = 0;
  let isUntouched = true;
  const values = () => [...byId.values()];
  const ownOnes = () => values().filter(({ isExample }) => !isExample);

  const webhooks: Webhooks = {
    create({ headers, ...wanted }) {
      // Each later than the one before, so that the newest comes first.
      lastCreatedAt = Math.max(Date.now(), lastCreatedAt + 1);
      const webhook = { ...newWebhook(recordOf(wanted, lastCreatedAt), wanted.addresses), headers };
      byId.set(webhook.record.id, webhook);
      isUntouched = false;
      return webhook;
    },
    get(id) {
      const found = byId.get(id);
      if (!found) throw webhookNotFound(id);
      return found;
    },
    has: (id) => byId.has(id),
    list: () => (isUntouched ? values() : ownOnes()).sort(newestFirst),
    own: ownOnes,
    adopt() {
      isUntouched = false;
      for (const webhook of byId.values()) webhook.isExample = false;
    },
    delete(webhook) {
      byId.delete(webhook.record.id);
      webhook.isDeleted = true;
    },
    reset() {
      for (const webhook of byId.values()) webhook.isDeleted = true;
      byId = new Map(examples(contract).map((record) => [record.id, exampleWebhook(record)]));
      isUntouched = true;
    },
  };
  webhooks.reset();
  return webhooks;
}

function recordOf({ addresses: _, eventSignatures, options = {}, ...wanted }: NewWebhook, createdAt: number): Webhook {
  const { top, metadata } = shownOptions(options);
  return {
    ...wanted,
    id: randomUUID(),
    status: "active",
    statusReason: "created",
    statusSince: createdAt,
    createdAt,
    metadata: { addresses: [], eventSignatures: [...eventSignatures], ...metadata },
    ...{ addressCount: 0, addressDigest: addressDigest([]), effectiveFromBlock: "1" },
    ...top,
    ...(wanted.url === undefined && { delivery: "feed" as const }),
    ...(top.finality && { heldCount: 0 }),
  };
}

function newWebhook(record: Webhook, addresses: readonly string[]): MockWebhook {
  const webhook: MockWebhook = {
    record,
    addresses: new Set(),
    changes: new Map(),
    secret: exampleSecret,
    replays: new Map(),
    notifications: new Map(),
    sequence: 0,
    waiting: [],
    inFlight: 0,
    gathering: undefined,
    headers: [],
    rate: new OwnRate(undefined),
    isDeleted: false,
    isExample: false,
  };
  change(webhook, addresses, "add");
  return webhook;
}

const exampleWebhook = (record: Webhook): MockWebhook => ({
  ...newWebhook(structuredClone(record), record.metadata.addresses),
  record: structuredClone(record),
  isExample: true,
});

/** As the service orders them. */
function newestFirst({ record: a }: MockWebhook, { record: b }: MockWebhook): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}

type WithExamples = { components: { examples: Record<string, { value: unknown }> } };

/** The contract's example webhooks, each as it is before it is paused or deleted. */
function examples(contract: Contract): Webhook[] {
  const { components } = contract as unknown as WithExamples;
  const byId = new Map<string, Webhook>();
  for (const [name, { value }] of Object.entries(components.examples)) {
    const record = value as Webhook;
    if (name.startsWith("webhook.") && !byId.has(record.id)) byId.set(record.id, record);
  }
  return [...byId.values()];
}
