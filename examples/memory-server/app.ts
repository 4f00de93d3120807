/** The API's operations, one typed handler each. The contract's enforcement does the rest. */
import { assertChange, contract, type Handlers, readAddresses, readNewWebhook } from "chain-webhooks/server";
import express, { type Express } from "express";
import { type AnswerOnce, answersOnce } from "./idempotency.ts";
import { inPageOf, listed, page, remove } from "./pages.ts";
import { explained, previewed } from "./questions.ts";
import { newReplay } from "./replays.ts";
import { rotate, secretOf } from "./secrets.ts";
import { sendTest } from "./send-test.ts";
import { missing, ok, served } from "./service.ts";
import { change, newStored, type Stored, update } from "./store.ts";

/** Makes the server. @param keys the scopes of each API key */
export async function memoryServer(keys: ReadonlyMap<string, { scopes: ("read" | "write")[] }>): Promise<Express> {
  return express().use(await contract({ authenticate: (key) => keys.get(key), handlers: handlers(new Map()) }));
}

function handlers(webhooks: Map<string, Stored>, once: AnswerOnce = answersOnce((id) => webhooks.has(id))): Handlers {
  const get = ({ id }: { id: string }) => webhooks.get(id) ?? missing("webhook");
  const given = (body: { addresses: string[] }) => readAddresses(body.addresses, "addresses");
  return {
    createWebhook: ({ headers, body }) =>
      once(headers["idempotency-key"], body, async () => {
        const stored = newStored(await readNewWebhook(body, served));
        webhooks.set(stored.record.id, stored);
        const headers = { Location: `/v1/webhooks/${stored.record.id}` };
        return { status: 201, headers, body: structuredClone(stored.record) };
      }),
    listWebhooks({ query }) {
      const all = listed(webhooks, query.status);
      const { webhooks: shown, ...next } = page("webhooks", all, ({ place }) => place, query);
      return ok({ webhooks: shown.map(({ record }) => inPageOf(query.pageSize, record)), ...next });
    },
    getWebhook: ({ path }) => ok(get(path).record),
    updateWebhook({ path, body }) {
      assertChange(body, served.chains[0], served);
      return ok(update(get(path), body));
    },
    deleteWebhook: ({ path }) => ok(remove(webhooks, get(path))),
    listWebhookAddresses({ path, query }) {
      const all = [...get(path).addresses].sort();
      return ok({ ...page("addresses", all, (one) => one, query), totalAddresses: all.length });
    },
    addWebhookAddresses: async ({ path, body }) => ok(change(get(path), await given(body), "add")),
    removeWebhookAddresses: async ({ path, body }) => ok(change(get(path), await given(body), "delete")),
    getWebhookSecret: ({ path }) => ok(secretOf(get(path))),
    rotateWebhookSecret: ({ path }) => ok(rotate(get(path))),
    testWebhook: async ({ path }) => ok(await sendTest(get(path))),
    listNotifications: ({ path }) => ok(get(path) && { notifications: [] }),
    getNotification: ({ path }) => get(path) && missing("notification"),
    resendNotification: ({ path }) => get(path) && missing("notification"),
    createReplay: ({ path, body }) => newReplay(get(path), body),
    getReplay: ({ path }) => ok(get(path).replays.get(path.replayId) ?? missing("replay")),
    previewWebhook: ({ body }) => previewed(body),
    explainWebhook: ({ path }) => explained(get(path)),
    listChains: () => ok({ chains: served.chains }),
  };
}
