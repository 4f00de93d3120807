/** The operations on what the mock remembers. Checks, limits and sentences are the service's own. */
import { addressDigest as addressDigestOf } from "../../../../client/address-digest.ts";
import {
  addressPageToken,
  notificationPageToken,
  parseAddressPageToken,
  parseNotificationPageToken,
  parseWebhookPageToken,
  webhookPageToken,
} from "../../../../server/api/handlers/page-token.ts";
import {
  addressChangeNotFound,
  idempotencyKeyReused,
  idempotentWebhookDeleted,
  notificationNotFound,
  otherAddresses,
} from "../../../../server/base/errors.ts";
import { hashOfBody } from "../../../../server/base/hash-of-json.ts";
import { divideByPrefix, readAddresses } from "../../../../server/contract/address-input.ts";
import { exampleEventText } from "../../../../server/contract/example-event.ts";
import type { Handlers, Output } from "../../../../server/contract/handlers.ts";
import { assertChange, assertHasUrl, readNewWebhook } from "../../../../server/contract/webhook-input.ts";
import { readHeaders } from "../../../../server/contract/webhook-options.ts";
import { assertFewAddresses, assertFewUsed, assertFits, shownInPageOf } from "../../../../server/settings/limits.ts";
import type { MockAccount } from "./account.ts";
import { mockFeedHandlers } from "./feed.ts";
import { detailOf, recordOf } from "./notification-record.ts";
import { mockOperationalHandlers } from "./operational.ts";
import { mockQuestionHandlers } from "./questions.ts";
import {
  addPart,
  change,
  commitChange,
  type MockWebhook,
  newMockSecret,
  newSharedSecret,
  rotate,
  secretOf,
  update,
} from "./records.ts";
import { mockReplays } from "./replays.ts";

/** Makes the handlers of an account. */
export function mockHandlers(account: MockAccount): Handlers {
  const { webhooks, outbox, quotas, chain } = account;
  /** For an operation that changes a webhook: an example becomes one like others. */
  const own = (id: string) => {
    const webhook = webhooks.get(id);
    if (webhook.isExample) webhooks.adopt();
    return webhook;
  };
  const notification = (id: string, messageId: string) => {
    const kept = webhooks.get(id).notifications.get(messageId);
    if (!kept) throw notificationNotFound(id, messageId);
    return kept;
  };
  const assertQuotas = (more: { webhooks: number; addresses: number }) => {
    const all = webhooks.own();
    const addresses = all.reduce((sum, webhook) => sum + webhook.addresses.size, 0);
    const has = { webhooks: all.length + more.webhooks, addresses: addresses + more.addresses };
    assertFits(has, quotas);
  };
  const changed = (webhook: MockWebhook, addresses: readonly string[], how: "add" | "delete") => ({
    ...change(webhook, addresses, how),
    ...chain.firstBlockFor(webhook.record.chainId),
  });
  const replays = mockReplays(account);
  let once = answersOnce(webhooks);
  let keysUsed = new Set<string>();
  account.onReset(() => {
    once = answersOnce(webhooks);
    keysUsed = new Set();
  });

  return {
    async createWebhook({ headers, body }) {
      const wanted = await readNewWebhook(body, chain.policyFor(body.chainId));
      const key = headers["idempotency-key"];
      if (key !== undefined && !keysUsed.has(key)) {
        assertFewUsed(keysUsed.size + 1);
        keysUsed.add(key);
      }
      return once(key, body, async () => {
        assertQuotas({ webhooks: 1, addresses: wanted.addresses.length });
        const { chainId, fromBlock, historyMode } = body;
        const first = fromBlock === undefined ? chain.firstBlockFor(chainId) : chain.historyFor(chainId, fromBlock);
        const webhook = webhooks.create({ ...wanted, headers: readHeaders(body.headers) });
        const { record } = webhook;
        Object.assign(record, first);
        if (fromBlock !== undefined) void chain.playHistory(webhook, historyMode).catch(() => undefined);
        // A copy: repeated, it is the same however the webhook has changed.
        const headers = { Location: `/v1/webhooks/${record.id}` };
        return { status: 201, headers, body: structuredClone(record) };
      });
    },
    listWebhooks({ query: { status, pageToken, pageSize } }) {
      const after = parseWebhookPageToken(pageToken);
      const isAfter = ({ record }: MockWebhook) => !after || isOlder(record, after);
      const found = webhooks
        .list()
        .filter((webhook) => isAfter(webhook) && webhook.record.status === (status ?? webhook.record.status));
      const shown = shownInPageOf(pageSize);
      const records = found.slice(0, pageSize).map(({ record }) => {
        const { addresses, ...metadata } = record.metadata;
        return { ...record, metadata: { ...metadata, addresses: addresses.slice(0, shown) } };
      });
      const last = found.length > records.length ? records.at(-1) : undefined;
      return ok({ webhooks: records, ...(last && { nextPageToken: webhookPageToken(last) }) });
    },
    getWebhook: ({ path }) => ok(webhooks.get(path.id).record),
    updateWebhook({ path, body }) {
      const webhook = webhooks.get(path.id);
      const { chainId, status } = webhook.record;
      assertChange(body, webhook.record, chain.policyFor(chainId));
      const record = update(own(path.id), body);
      if (body.status === "active" && status === "inactive") {
        delete record.failingSince;
        Object.assign(record, chain.firstBlockFor(chainId));
      }
      outbox.wake(webhook);
      return ok(record);
    },
    deleteWebhook({ path }) {
      const webhook = own(path.id);
      const { record } = webhook;
      const last = update(webhook, { status: "inactive" });
      webhooks.delete(webhook);
      outbox.drop(webhook);
      return ok({ ...last, statusReason: "requested" as const, statusSince: Math.max(record.statusSince, Date.now()) });
    },
    listWebhookAddresses({ path, query: { pageToken, pageSize } }) {
      const after = parseAddressPageToken(pageToken) ?? "";
      const { addresses } = webhooks.get(path.id);
      const found = [...addresses].filter((address) => address > after).sort();
      const page = found.slice(0, pageSize);
      const last = found.length > page.length ? page.at(-1) : undefined;
      const next = last !== undefined && { nextPageToken: addressPageToken(last) };
      return ok({ addresses: page, totalAddresses: addresses.size, ...next });
    },
    listWebhookAddressDigests({ path, query }) {
      const groups = divideByPrefix(webhooks.get(path.id).addresses, query.prefix);
      return ok({
        digests: groups.map(([prefix, all]) => ({ prefix, count: all.length, digest: addressDigestOf(all) })),
      });
    },
    async addWebhookAddresses({ path, body }) {
      const given = await readAddresses(body.addresses, "addresses");
      const { addresses, record } = webhooks.get(path.id);
      const { fromBlock } = body;
      if (fromBlock !== undefined) chain.historyFor(record.chainId, fromBlock);
      const added = given.filter((address) => !addresses.has(address)).length;
      assertFewAddresses(addresses.size + added);
      if (added > 0) assertQuotas({ webhooks: 0, addresses: added });
      const webhook = own(path.id);
      const { effectiveFromBlock = "1" } = chain.firstBlockFor(record.chainId);
      const toBlock = String(BigInt(effectiveFromBlock) - 1n);
      const replayId = fromBlock === undefined ? undefined : replays.bringPast(webhook, given, { fromBlock, toBlock });
      return ok({ ...changed(webhook, given, "add"), ...(replayId !== undefined && { replayId }) });
    },
    async removeWebhookAddresses({ path, body }) {
      const given = await readAddresses(body.addresses, "addresses");
      replays.passOver(webhooks.get(path.id), given);
      return ok(changed(own(path.id), given, "delete"));
    },
    async changeWebhookAddresses({ path, body }) {
      const part = {
        add: await readAddresses(body.add ?? [], "add"),
        remove: await readAddresses(body.remove ?? [], "remove"),
      };
      const before = webhooks.get(path.id).addresses;
      const webhook = own(path.id);
      const { answer, state, addressesAfter } = addPart(webhook, path.changeId, part);
      const done = answer?.addressDigest;
      if (done && body.commit && (body.addressDigest?.toLowerCase() ?? done) !== done) throw otherAddresses(done);
      if (answer || !body.commit) return ok(answer ?? state);
      if (!addressesAfter) throw addressChangeNotFound(path.changeId);
      const after = addressesAfter();
      const added = [...after].filter((address) => !before.has(address));
      const removed = [...before].filter((address) => !after.has(address));
      assertFewAddresses(after.size);
      if (added.length > 0) assertQuotas({ webhooks: 0, addresses: added.length - removed.length });
      const addressDigest = addressDigestOf(after);
      const wanted = body.addressDigest?.toLowerCase() ?? addressDigest;
      if (wanted !== addressDigest) throw otherAddresses(addressDigest);
      replays.passOver(webhook, removed);
      change(webhook, removed, "delete");
      const { addressCount, effectiveFromBlock } = changed(webhook, added, "add");
      const result = { added: added.length, removed: removed.length, addressCount, addressDigest, effectiveFromBlock };
      return ok(commitChange(webhook, { ...state, committed: true, ...result }));
    },
    getWebhookSecret: ({ path }) => ok(secretOf(webhooks.get(path.id))),
    rotateWebhookSecret: ({ path }) => ok(rotate(own(path.id), newMockSecret())),
    getSharedSecret: () => ok(secretOf(account.shared)),
    rotateSharedSecret: () => ({ status: 201, body: rotate(account.shared, newSharedSecret()) }),
    async testWebhook({ path }) {
      const webhook = webhooks.get(path.id);
      assertHasUrl(webhook.record, "A test");
      return ok(await outbox.test(webhook, await exampleEventText(webhook.record)));
    },
    listNotifications({ path, query: { status, afterSequence, pageToken, pageSize } }) {
      const after = parseNotificationPageToken(pageToken) ?? afterSequence ?? 0;
      const found = [...webhooks.get(path.id).notifications.values()]
        .filter(({ sequence }) => sequence > after)
        .map(recordOf)
        .filter((record) => record.status === (status ?? record.status));
      const page = found.slice(0, pageSize);
      const last = found.length > page.length ? page.at(-1) : undefined;
      return ok({ notifications: page, ...(last && { nextPageToken: notificationPageToken(last.sequence) }) });
    },
    getNotification: ({ path }) => ok(detailOf(notification(path.id, path.messageId))),
    resendNotification({ path }) {
      assertHasUrl(webhooks.get(path.id).record, "A resend");
      const kept = notification(path.id, path.messageId);
      void outbox.attempt(kept, "resend");
      return { status: 202, body: recordOf(kept) };
    },
    ...mockFeedHandlers(account),
    ...mockOperationalHandlers(account),
    ...replays.handlers,
    ...mockQuestionHandlers(account),
    listChains: () => ok({ chains: chain.list() }),
  };
}

const ok = <Body>(body: Body) => ({ status: 200 as const, body });

type Position = { createdAt: Date; id: string };

function isOlder({ createdAt, id }: { createdAt: number; id: string }, after: Position): boolean {
  const at = after.createdAt.getTime();
  return createdAt < at || (createdAt === at && id < after.id);
}

type Created = Output<"createWebhook">;

/** Remembers what createWebhook answered under each `Idempotency-Key`. The service forgets it after 24 hours. */
function answersOnce({ has }: MockAccount["webhooks"]) {
  const answered = new Map<string, { hash: string; answer: Promise<Created> }>();
  return async (key: string | undefined, body: unknown, answer: () => Promise<Created>): Promise<Created> => {
    if (key === undefined) return answer();
    const hash = hashOfBody(body).toString("hex");
    const before = answered.get(key);
    if (before && before.hash !== hash) throw idempotencyKeyReused();
    if (before && !has((await before.answer).body.id)) throw idempotentWebhookDeleted();
    if (before) return before.answer;
    const first = answer();
    answered.set(key, { hash, answer: first });
    // A failed request may be sent again under the same key.
    first.catch(() => answered.delete(key));
    return first;
  };
}
