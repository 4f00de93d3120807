/** What a client sees of deliveries, on the service and on the mock: records, attempts, resends, replays, tests and signatures. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createWebhooksClient, type OperationResult, type WebhooksClient } from "../../client/index.ts";
import { verifyNotification } from "../../client/receiver/index.ts";
import type { Delivered, Receiver } from "../support/receiver.ts";
import { startReceiver } from "../support/receiver.ts";

/** What the suite runs against. */
export type Subject = {
  url: string;
  key: string;
  /** A chain, and addresses on it. */
  chainId: string;
  addresses: string[];
  /** Causes one more notification of a webhook. */
  notify(id: string): Promise<unknown>;
  close(): Promise<void>;
};

type Record = OperationResult<"listNotifications">["notifications"][number];

/** Makes the tests. */
export function describeDelivery(name: string, start: () => Promise<Subject>): void {
  describe(name, () => {
    let subject: Subject;
    let client: WebhooksClient;
    let receiver: Receiver;
    beforeAll(async () => {
      [subject, receiver] = await Promise.all([start(), startReceiver()]);
      client = createWebhooksClient({ baseUrl: subject.url, apiKey: subject.key });
    });
    afterAll(async () => {
      await subject.close();
      await receiver.close();
    });
    beforeEach(() => {
      receiver.answer = (_, response) => response.writeHead(204).end();
    });

    const create = async () => {
      const { chainId, addresses } = subject;
      const url = `${receiver.url}/${crypto.randomUUID()}`;
      const metadata = { addresses, includeLogs: true };
      const { id } = await client.createWebhook({ body: { url, chainId, eventType: "address_activity", metadata } });
      const arrived = ({ path }: Delivered) => url.endsWith(path);
      return { path: { id }, arrived };
    };
    const recorded = async (path: { id: string }, wanted: (record: Record) => boolean): Promise<Record> => {
      let found: Record | undefined;
      const look = async () => {
        found = (await client.listNotifications({ path })).notifications.findLast(wanted);
        return found;
      };
      await expect.poll(look).toBeDefined();
      return found ?? expect.fail();
    };
    const delivered = ({ status }: Record) => status === "delivered";

    test("what arrived is on record, with its payload and its attempt, and verifies", async () => {
      const { path, arrived } = await create();
      await subject.notify(path.id);
      const record = await recorded(path, delivered);
      expect(record).toMatchObject({
        removed: false,
        attemptCount: 1,
        lastAttempt: { number: 1, trigger: "schedule" },
      });
      const [sent] = (await receiver.waitFor(1, (one) => arrived(one) && one.sequence === record.sequence)) as [
        Delivered,
      ];
      const { secret } = await client.getWebhookSecret({ path });
      const verified = await verifyNotification(sent.rawBody, sent.headers, secret);
      expect(verified.messageId).toBe(record.messageId);
      const detail = await client.getNotification({ path: { ...path, messageId: record.messageId } });
      expect(JSON.stringify(detail.payload)).toBe(sent.rawBody);
      expect(detail.payload.event).toMatchObject({
        transaction: { chainId: subject.chainId },
        logs: expect.any(Array),
      });
      expect(detail.attempts).toEqual([record.lastAttempt]);
      expect(record.lastAttempt).toMatchObject({ responseStatus: 204 });
    });

    test("sequences have no gaps, and lists are filtered and paged by them", async () => {
      const { path } = await create();
      for (let sent = 0; sent < 3; sent += 1) await subject.notify(path.id);
      await recorded(path, ({ sequence, status }) => sequence >= 3 && status === "delivered");
      const sequences: number[] = [];
      for await (const { notifications } of client.pages("listNotifications", { path, query: { pageSize: 2 } }))
        sequences.push(...notifications.map(({ sequence }) => sequence));
      expect(sequences).toEqual(sequences.map((_, index) => index + 1));
      const after = await client.listNotifications({ path, query: { afterSequence: 2 } });
      expect(after.notifications.map(({ sequence }) => sequence)).toEqual(sequences.slice(2));
      expect((await client.listNotifications({ path, query: { status: "failed" } })).notifications).toEqual([]);
    });

    test("a refused one is pending until a resend succeeds, and the webhook says that it fails", async () => {
      const { path, arrived } = await create();
      receiver.answer = (_, response) => response.writeHead(500).end("no");
      await subject.notify(path.id);
      const failing = await recorded(path, ({ attemptCount }) => attemptCount === 1);
      expect(failing).toMatchObject({
        status: "pending",
        lastAttempt: { responseStatus: 500, responseBody: "no", errorClass: "bad_status" },
      });
      expect((failing.nextAttemptAt ?? 0) - (failing.lastAttempt?.sentAt ?? 0)).toBeGreaterThan(5_000);
      await expect.poll(() => client.getWebhook({ path })).toHaveProperty("failingSince");
      receiver.answer = (_, response) => response.writeHead(200).end();
      const messageId = failing.messageId;
      const resent = await client.resendNotification({ path: { ...path, messageId } });
      expect(resent).toMatchObject({ messageId, sequence: failing.sequence });
      await recorded(path, (one) => one.messageId === messageId && delivered(one));
      const { attempts } = await client.getNotification({ path: { ...path, messageId } });
      expect(attempts.map(({ number, trigger, responseStatus }) => [number, trigger, responseStatus])).toEqual([
        [1, "schedule", 500],
        [2, "resend", 200],
      ]);
      const same = await receiver.waitFor(2, (one) => arrived(one) && one.notification.messageId === messageId);
      expect(new Set(same.map(({ rawBody }) => rawBody)).size).toBe(1);
    });

    test("an endpoint that is gone makes its webhook inactive", async () => {
      const { path } = await create();
      receiver.answer = (_, response) => response.writeHead(410).end();
      await subject.notify(path.id);
      const status = async () => (await client.getWebhook({ path })).statusReason;
      await expect.poll(status).toBe("endpoint_gone");
      expect(await client.getWebhook({ path })).toMatchObject({ status: "inactive" });
      const record = await recorded(path, () => true);
      receiver.answer = (_, response) => response.writeHead(204).end();
      await client.resendNotification({ path: { ...path, messageId: record.messageId } });
      await client.updateWebhook({ path, body: { status: "active" } });
      await recorded(path, (one) => one.messageId === record.messageId && delivered(one));
    });

    test("a test is sent now, whatever the endpoint answers, and is not listed", async () => {
      const { path, arrived } = await create();
      expect(await client.testWebhook({ path })).toMatchObject({ delivered: true, responseStatus: 204 });
      receiver.answer = (_, response) => response.writeHead(302, { location: receiver.url }).end("moved");
      const refused = await client.testWebhook({ path });
      expect(refused).toMatchObject({
        delivered: false,
        responseStatus: 302,
        errorClass: "bad_status",
        responseBody: "moved",
      });
      const tests = await receiver.waitFor(2, (one) => arrived(one) && one.sequence === 0);
      expect(tests.at(-1)?.notification).toMatchObject({ messageId: refused.messageId, webhookId: path.id });
      await client.updateWebhook({ path, body: { url: "http://127.0.0.1:2/" } });
      expect(await client.testWebhook({ path })).toMatchObject({ delivered: false, errorClass: expect.any(String) });
      const { notifications } = await client.listNotifications({ path });
      expect(notifications.map(({ messageId }) => messageId)).not.toContain(refused.messageId);
    });

    test("after a rotation both secrets verify", async () => {
      const { path, arrived } = await create();
      const before = await client.getWebhookSecret({ path });
      const after = await client.rotateWebhookSecret({ path });
      await client.testWebhook({ path });
      const [sent] = (await receiver.waitFor(1, (one) => arrived(one) && one.sequence === 0)) as [Delivered];
      expect(String(sent.headers["webhook-signature"]).split(" ")).toHaveLength(2);
      for (const { secret } of [before, after])
        expect(await verifyNotification(sent.rawBody, sent.headers, secret)).toMatchObject({ webhookId: path.id });
    });

    test("a replay of a block ends, and sends what is on record once more", async () => {
      const { path, arrived } = await create();
      await subject.notify(path.id);
      const { blockNumber, messageId } = await recorded(path, delivered);
      const range = { fromBlock: blockNumber, toBlock: blockNumber };
      // The mock's example may be of a block before the webhook's first.
      const queued = await client.createReplay({ path, body: { ...range, includeEarlier: true } });
      expect(queued).toMatchObject({ status: "queued", webhookId: path.id, resentCount: 0, addedCount: 0, ...range });
      const replay = () => client.getReplay({ path: { ...path, replayId: queued.id } });
      await expect.poll(async () => (await replay()).status).toBe("done");
      const done = await replay();
      expect(done).toMatchObject({ currentBlock: blockNumber, addedCount: 0, finishedAt: expect.any(Number) });
      expect(done.resentCount).toBeGreaterThanOrEqual(1);
      await receiver.waitFor(2, (one) => arrived(one) && one.notification.messageId === messageId);
      const attempts = async () => (await client.getNotification({ path: { ...path, messageId } })).attempts;
      await expect.poll(async () => (await attempts()).at(-1)?.trigger).toBe("replay");
    });
  });
}
