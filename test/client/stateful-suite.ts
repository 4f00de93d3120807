/**
 * What a client sees of what it has created: it is there afterwards, in lists and by its id, until it is deleted. It is run against the
 * service and against the mock, and must find no difference. Nothing is delivered here; `delivery-suite.ts` does that.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createWebhooksClient, type OperationResult, type WebhooksClient, WebhooksError } from "../../client/index.ts";
import { address } from "../support/api.ts";

/** What the suite runs against: with a quota of 6 webhooks and 100 addresses, on chain 43114. */
export type Subject = { url: string; key: string; close(): Promise<void> };

type Webhook = OperationResult<"getWebhook">;

/** How many of each the account may have. */
export const quotas = { webhooks: 6, addresses: 100 };

const unknown = "0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21";
const earlier = { fromBlock: "1", toBlock: "2", includeEarlier: true };
const addresses = (from: number, count: number) => Array.from({ length: count }, (_, n) => address(from + n));

/** Whether its endpoint answers is of no interest here. */
const asSet = ({ failingSince: _, ...record }: Webhook) => record;

/** Makes the tests. */
export function describeState(name: string, start: () => Promise<Subject>): void {
  describe(name, () => {
    let subject: Subject;
    let client: WebhooksClient;
    beforeAll(async () => {
      subject = await start();
      client = createWebhooksClient({ baseUrl: subject.url, apiKey: subject.key, maxRetries: 0 });
    });
    afterAll(() => subject.close());
    afterEach(async () => {
      const { webhooks } = await client.listWebhooks({ query: { pageSize: 100 } });
      for (const { id } of webhooks) await client.deleteWebhook({ path: { id } });
    });

    const create = (changes: object = {}, key?: string): Promise<Webhook> => {
      const url = "https://example.com/hooks";
      const body = {
        url,
        chainId: "43114",
        eventType: "address_activity" as const,
        metadata: { addresses: addresses(1, 1) },
      };
      return client.createWebhook({
        body: { ...body, ...changes },
        ...(key && { headers: { "Idempotency-Key": key } }),
      });
    };
    const refusal = (call: Promise<unknown>) =>
      call.then(
        () => "it succeeded",
        (error: unknown) => (error instanceof WebhooksError ? [error.status, error.body?.message] : error),
      );
    const list = async (status?: "active" | "inactive", pageSize = 2, onPage?: () => Promise<unknown>) => {
      const found: Webhook[] = [];
      for await (const { webhooks } of client.pages("listWebhooks", {
        query: { pageSize, ...(status && { status }) },
      })) {
        expect(webhooks.length).toBeLessThanOrEqual(pageSize);
        found.push(...webhooks);
        await onPage?.();
      }
      return found.map(({ id }) => id);
    };

    test("what was created is there as it was answered", async () => {
      const metadata = {
        addresses: [address(2), address(1).toUpperCase().replace("X", "x")],
        eventSignatures: [`0x${"AB".repeat(32)}`],
      };
      const created = await create({ metadata, name: "Mine", includeLogs: true });
      expect(created).toMatchObject({
        status: "active",
        statusReason: "created",
        name: "Mine",
        description: "",
        includeLogs: true,
        includeInternalTxs: false,
        addressCount: 2,
        metadata: { addresses: [address(1), address(2)], eventSignatures: [`0x${"ab".repeat(32)}`] },
      });
      expect(asSet(await client.getWebhook({ path: { id: created.id } }))).toEqual(created);
      expect((await client.listWebhooks()).webhooks.map(asSet)).toEqual([created]);
    });

    test("lists have the newest first, filtered, in pages, also while webhooks are deleted", async () => {
      const ids: string[] = [];
      for (let made = 0; made < 5; made += 1) ids.unshift((await create()).id);
      expect(await list()).toEqual(ids);
      expect(await list(undefined, 5)).toEqual(ids);
      for (const id of [ids[0], ids[2], ids[4]] as string[])
        await client.updateWebhook({ path: { id }, body: { status: "inactive" } });
      expect(await list("inactive")).toEqual([ids[0], ids[2], ids[4]]);
      expect(await list("active", 1)).toEqual([ids[1], ids[3]]);
      const [second = ""] = [ids[1]];
      let pages = 0;
      const seen = await list(undefined, 2, async () => {
        pages += 1;
        // The last one of the page that was just read: the next page begins after it all the same.
        if (pages === 1) await client.deleteWebhook({ path: { id: second } });
      });
      expect(seen).toEqual(ids);
    });

    test("a change changes what it names, and nothing else", async () => {
      const created = await create({ name: "Old", description: "Of old" });
      const path = { id: created.id };
      const changes = [
        { name: "New" },
        { description: "Newer" },
        { url: "https://example.com/other" },
        { includeLogs: true },
        { includeInternalTxs: true },
        { status: "inactive" as const },
        {},
        { status: "active" as const },
        { name: "", includeLogs: false },
      ];
      let before = created;
      for (const body of changes) {
        const after = await client.updateWebhook({ path, body });
        const { status, ...fields } = body as Partial<Webhook>;
        const changed = status && { status, statusReason: "requested", statusSince: expect.any(Number) };
        expect(asSet(after)).toEqual({ ...asSet(before), ...fields, ...changed });
        expect(asSet(await client.getWebhook({ path }))).toEqual(asSet(after));
        before = after;
      }
      expect(before.statusSince).toBeGreaterThanOrEqual(created.createdAt);
    });

    test("addresses are added and removed once, and listed in order and in pages", async () => {
      const { id } = await create({ metadata: { addresses: addresses(10, 3) } });
      const path = { id };
      const added = await client.addWebhookAddresses({ path, body: { addresses: [...addresses(1, 4), address(10)] } });
      expect(added).toMatchObject({ changed: 4, totalAddresses: 7 });
      const removed = await client.removeWebhookAddresses({ path, body: { addresses: [address(2), address(99)] } });
      expect(removed).toMatchObject({ changed: 1, totalAddresses: 6 });
      const wanted = [address(1), address(3), address(4), ...addresses(10, 3)];
      const found: string[] = [];
      for await (const page of client.pages("listWebhookAddresses", { path, query: { pageSize: 4 } })) {
        expect(page.totalAddresses).toBe(6);
        found.push(...page.addresses);
      }
      expect(found).toEqual(wanted);
      expect(await client.getWebhook({ path })).toMatchObject({ addressCount: 6, metadata: { addresses: wanted } });
    });

    test("a secret stays until it is rotated, and the one before it signs for a day", async () => {
      const path = { id: (await create()).id };
      const first = await client.getWebhookSecret({ path });
      expect(first).toEqual({ secret: expect.stringMatching(/^whsec_/) });
      expect(await client.getWebhookSecret({ path })).toEqual(first);
      const rotated = await client.rotateWebhookSecret({ path });
      expect(rotated.secret).not.toBe(first.secret);
      expect(Math.abs((rotated.previousSecretExpiresAt ?? 0) - Date.now() - 86_400_000)).toBeLessThan(60_000);
      expect(await client.getWebhookSecret({ path })).toEqual(rotated);
    });

    test("a deleted webhook is answered once more, and then no operation finds it", async () => {
      const created = await create();
      const path = { id: created.id };
      const replay = await client.createReplay({ path, body: earlier });
      const last = await client.deleteWebhook({ path });
      expect(asSet(last)).toEqual({
        ...created,
        status: "inactive",
        statusReason: "requested",
        statusSince: last.statusSince,
      });
      const body = { addresses: addresses(1, 1) };
      const calls = [
        client.getWebhook({ path }),
        client.updateWebhook({ path, body: {} }),
        client.deleteWebhook({ path }),
        client.listWebhookAddresses({ path }),
        client.addWebhookAddresses({ path, body }),
        client.removeWebhookAddresses({ path, body }),
        client.getWebhookSecret({ path }),
        client.rotateWebhookSecret({ path }),
        client.testWebhook({ path }),
        client.listNotifications({ path }),
        client.getNotification({ path: { ...path, messageId: unknown } }),
        client.resendNotification({ path: { ...path, messageId: unknown } }),
        client.createReplay({ path, body: earlier }),
        client.getReplay({ path: { ...path, replayId: replay.id } }),
        client.cancelReplay({ path: { ...path, replayId: replay.id } }),
      ];
      const refusals = await Promise.all(calls.map(refusal));
      for (const refused of refusals) expect(refused).toEqual([404, `There is no webhook ${created.id}.`]);
      expect(await list()).toEqual([]);
    });

    test("what a webhook does not have is a 404 that says so", async () => {
      const { id } = await create();
      const missing = { path: { id, messageId: unknown } };
      const sentence = `There is no notification ${unknown} of the webhook ${id}.`;
      expect(await refusal(client.getNotification(missing))).toEqual([404, sentence]);
      expect(await refusal(client.resendNotification(missing))).toEqual([404, sentence]);
      const replay = client.getReplay({ path: { id, replayId: unknown } });
      expect(await refusal(replay)).toEqual([404, `There is no replay ${unknown} of the webhook ${id}.`]);
      expect(await refusal(client.getWebhook({ path: { id: unknown } }))).toEqual([
        404,
        `There is no webhook ${unknown}.`,
      ]);
    });

    test("a request over a quota is refused, until something is removed", async () => {
      const made: string[] = [];
      while (made.length < quotas.webhooks) made.push((await create()).id);
      const over = "The account may have at most 6 webhooks; remove some, or ask the operator for more.";
      expect(await refusal(create())).toEqual([403, over]);
      for (const id of made.splice(0, 2)) await client.deleteWebhook({ path: { id } });
      const path = { id: (await create({ metadata: { addresses: addresses(1, 90) } })).id };
      const more = { path, body: { addresses: addresses(91, 10) } };
      const tooMany = "The account may have at most 100 addresses; remove some, or ask the operator for more.";
      expect(await refusal(client.addWebhookAddresses(more))).toEqual([403, tooMany]);
      expect((await client.getWebhook({ path })).addressCount).toBe(90);
      await client.removeWebhookAddresses({ path, body: { addresses: addresses(1, 4) } });
      expect(await client.addWebhookAddresses(more)).toMatchObject({ changed: 10, totalAddresses: 96 });
    });

    test("a repeated Idempotency-Key gets the first answer, whatever happened since", async () => {
      const key = crypto.randomUUID();
      const metadata = { addresses: addresses(1, 2) };
      const first = await create({ metadata, name: "Once" }, key);
      const path = { id: first.id };
      await client.updateWebhook({ path, body: { name: "Changed" } });
      await client.addWebhookAddresses({ path, body: { addresses: addresses(7, 1) } });
      expect(await create({ name: "Once", metadata }, key)).toEqual(first);
      expect(await list()).toEqual([first.id]);
      expect(await refusal(create({ name: "Twice", metadata }, key))).toEqual([
        409,
        expect.stringMatching(/Idempotency-Key/),
      ]);
      await client.deleteWebhook({ path });
      expect(await refusal(create({ metadata, name: "Once" }, key))).toEqual([
        409,
        expect.stringMatching(/Idempotency-Key/),
      ]);
    });

    test("a webhook has ten unfinished replays at most, and each is found", async () => {
      const path = { id: (await create()).id };
      const { includeEarlier, ...range } = earlier;
      const made = await Promise.allSettled(
        Array.from({ length: 11 }, () => client.createReplay({ path, body: { ...range, includeEarlier } })),
      );
      const replays = made.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const refused = made.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      const message = "The webhook has 10 unfinished replays; wait until one finishes.";
      expect(refused).toMatchObject([{ status: 409, body: { message } }]);
      // At once, since they end by themselves.
      const last = { path: { ...path, replayId: replays.at(-1)?.id ?? "" } };
      const cancelled = await client.cancelReplay(last);
      expect(cancelled).toMatchObject({ status: "cancelled", finishedAt: expect.any(Number), resentCount: 0 });
      expect(await client.getReplay(last)).toEqual(cancelled);
      expect(await client.cancelReplay(last)).toEqual(cancelled);
      for (const { id: replayId } of replays)
        expect(await client.getReplay({ path: { ...path, replayId } })).toMatchObject({ ...range, webhookId: path.id });
      const instead = await client.createReplay({ path, body: { ...range, includeEarlier } });
      await client.cancelReplay({ path: { ...path, replayId: instead.id } });
      expect(await refusal(client.cancelReplay({ path: { ...path, replayId: unknown } }))).toEqual([
        404,
        `There is no replay ${unknown} of the webhook ${path.id}.`,
      ]);
      const backwards = client.createReplay({ path, body: { fromBlock: "3", toBlock: "2" } });
      expect(await refusal(backwards)).toEqual([400, "fromBlock must be at most toBlock."]);
    });
  });
}
