/** A webhook's feed over real HTTP, of which a test says what is in it, what is no longer kept, and when it fails. */
import type { ServerResponse } from "node:http";
import { createWebhooksClient, type WebhooksClient } from "../../../client/index.ts";
import { type AddressActivityNotification, signNotification } from "../../../client/receiver/index.ts";
import { notification as example } from "../examples.ts";
import { listen } from "../http-server.ts";
import { secret } from "../receiver/delivery.ts";

export const webhookId = example.webhookId;

export type MadeFeed = {
  baseUrl: string;
  client: WebhooksClient;
  /** Adds a notification. @returns its sequence */
  add(options?: { removed?: boolean; messageId?: string }): number;
  /** Answers the requests that wait. */
  wake(): void;
  payloads: AddressActivityNotification[];
  /** The first sequence that is kept. */
  first: number;
  /** What it answers instead, as long as it is set. */
  refusal: ((response: ServerResponse) => void) | undefined;
  /** The newest sequence that it knows of, if it has forgotten others. */
  newest: number | undefined;
  /** The queries of the requests. */
  queries: Record<string, string>[];
  /** The signed request by which a notification is sent. @param sequence that the header has */
  post(at: number, sequence?: number): Promise<Request>;
};

export async function makeFeed(): Promise<MadeFeed> {
  const waiting = new Set<() => void>();
  const refuse = (response: ServerResponse, status: number, headers: Record<string, string>) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify({ message: "What was wrong.", statusCode: status, error: "Reason" }));

  const baseUrl = await listen(async (request, response) => {
    const query = Object.fromEntries(new URL(request.url ?? "", "http://localhost").searchParams);
    feed.queries.push(query);
    const after = Number(query.after ?? feed.first - 1);
    if (!feed.refusal && feed.payloads.length <= after && Number(query.wait ?? 0) > 0)
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        response.on("close", resolve);
        setTimeout(resolve, Number(query.wait) * 1_000).unref();
      });
    if (feed.refusal) return feed.refusal(response);
    if (after + 1 < feed.first) return refuse(response, 410, { "webhook-first-sequence": String(feed.first) });
    const lastSequence = feed.newest ?? feed.payloads.length;
    const notifications = feed.payloads
      .map((payload, index) => ({ sequence: index + 1, payload }))
      .slice(after, Math.min(lastSequence, after + Number(query.limit ?? 50)));
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ notifications, lastSequence }));
  });

  const feed: MadeFeed = {
    baseUrl,
    client: createWebhooksClient({ baseUrl, apiKey: "sk_test_0123456789", maxRetries: 0 }),
    payloads: [],
    first: 1,
    refusal: undefined,
    newest: undefined,
    queries: [],
    add({ removed = false, messageId = crypto.randomUUID() } = {}) {
      feed.payloads.push({ ...example, messageId, event: { ...example.event, ...(removed && { removed }) } });
      feed.wake();
      return feed.payloads.length;
    },
    wake() {
      for (const wake of waiting) wake();
      waiting.clear();
    },
    async post(at, sequence = at) {
      const payload = feed.payloads[at - 1] ?? example;
      const body = JSON.stringify(payload);
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        "webhook-id": payload.messageId,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": await signNotification({ id: payload.messageId, timestamp, body, secret }),
        "webhook-sequence": String(sequence),
      };
      return new Request("https://receiver.test/hooks", { method: "POST", headers, body });
    },
  };
  return feed;
}
