/** A replay is followed until it ends, and no longer than the caller wants. */
import { expect, test } from "vitest";
import { createWebhooksClient, followReplay, WebhooksError } from "../../client/index.ts";
import done from "../../openapi/examples/replay.done.json" with { type: "json" };
import running from "../../openapi/examples/replay.running.json" with { type: "json" };
import { json, serve } from "./http-server.ts";

const apiKey = "sk_test_0123456789";
const { id, webhookId } = done.value;

test("yields the replay until it has ended", async () => {
  const { baseUrl, received } = await serve(
    json(200, running.value),
    json(200, { ...running.value, currentBlock: "62319000" }),
    json(200, done.value),
  );
  const client = createWebhooksClient({ baseUrl, apiKey });
  const seen: string[] = [];
  for await (const { status, currentBlock } of followReplay(client, webhookId, id, { intervalMs: 1 }))
    seen.push(`${status} ${currentBlock}`);
  expect(seen).toEqual(["running 62318412", "running 62319000", "done 62320000"]);
  expect(new Set(received.map(({ url }) => url))).toEqual(new Set([`/v1/webhooks/${webhookId}/replays/${id}`]));
});

test("the signal ends it, also between two requests", async () => {
  const { baseUrl, received } = await serve(json(200, running.value));
  const controller = new AbortController();
  const client = createWebhooksClient({ baseUrl, apiKey });
  const follow = async () => {
    for await (const _ of followReplay(client, webhookId, id, { intervalMs: 600_000, signal: controller.signal }))
      controller.abort();
  };
  await expect(follow()).rejects.toMatchObject({ code: "aborted" });
  await expect(follow()).rejects.toBeInstanceOf(WebhooksError);
  expect(received).toHaveLength(1);
});

test.each([0, -1, Number.NaN, 2 ** 31])("an interval of %s is refused", async (intervalMs) => {
  const client = createWebhooksClient({ baseUrl: "http://127.0.0.1:1", apiKey });
  await expect(followReplay(client, webhookId, id, { intervalMs }).next()).rejects.toThrow(TypeError);
});
