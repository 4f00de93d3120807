/** The whole API in memory, made with the contract's enforcement. It follows no chain, so all it sends is tests. */
import express, { type Express } from "express";
import { contract, type Handlers, readAddresses, readNewWebhook } from "../../server/contract/index.ts";
import { type AnswerOnce, answersOnce } from "./example-idempotency.ts";
import { change, missing, newReplay, newStored, page, rotate, type Stored, secretOf, update } from "./example-store.ts";
import { sendTest } from "./example-test.ts";

const served = { chains: [{ chainId: "43114", name: "Avalanche C-Chain", traces: true }], allowPrivateTargets: true };

/** Makes the server. Whoever has one of the keys has its scopes. */
export async function exampleServer(keys: ReadonlyMap<string, { scopes: ("read" | "write")[] }>): Promise<Express> {
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
        return { status: 201, headers: { Location: `/v1/webhooks/${stored.record.id}` }, body: { ...stored.record } };
      }),
    listWebhooks({ query }) {
      const records = [...webhooks.values()].map(({ record }) => record).reverse();
      const wanted = records.filter(({ status }) => status === (query.status ?? status));
      return ok(page("webhooks", wanted, ({ id }) => id, query));
    },
    getWebhook: ({ path }) => ok(get(path).record),
    updateWebhook: ({ path, body }) => ok(update(get(path), body)),
    deleteWebhook({ path }) {
      const record = update(get(path), { status: "inactive" });
      webhooks.delete(path.id);
      return ok(record);
    },
    listWebhookAddresses({ path, query }) {
      const { addresses } = get(path);
      const totalAddresses = addresses.size;
      return ok({ ...page("addresses", [...addresses].sort(), (one) => one, query), totalAddresses });
    },
    addWebhookAddresses: async ({ path, body }) => ok(change(get(path), await given(body), "add")),
    removeWebhookAddresses: async ({ path, body }) => ok(change(get(path), await given(body), "delete")),
    getWebhookSecret: ({ path }) => ok(secretOf(get(path))),
    rotateWebhookSecret: ({ path }) => ok(rotate(get(path))),
    testWebhook: async ({ path }) => ok(await sendTest(get(path))),
    listNotifications: ({ path }) => ok(get(path) && { notifications: [] }),
    getNotification: ({ path }) => get(path) && missing("notification"),
    resendNotification: ({ path }) => get(path) && missing("notification"),
    createReplay({ path, body }) {
      const replay = newReplay(get(path), body);
      return { status: 202, headers: { Location: `/v1/webhooks/${path.id}/replays/${replay.id}` }, body: replay };
    },
    getReplay: ({ path }) => ok(get(path).replays.get(path.replayId) ?? missing("replay")),
    listChains: () => ok({ chains: served.chains }),
  };
}

const ok = <Body>(body: Body) => ({ status: 200 as const, body });
