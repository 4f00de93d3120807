/** The API's operations, one typed handler each. The contract's enforcement does the rest. */

import { addressDigest } from "chain-webhooks/client";
import {
  aboveNewestBlock,
  assertChange,
  contract,
  divideByPrefix,
  type Handlers,
  HttpError,
  readAddresses,
  readHeaders,
  readNewWebhook,
  readPreview,
  unknownBlock,
  unknownTransaction,
} from "chain-webhooks-tools/server";
import express, { type Express } from "express";
import { answersOnce, inHex, inPageOf, missing, ok, page, served } from "./answers.ts";
import { operationalHandlers } from "./operational.ts";
import { sendTest } from "./send-test.ts";
import { addPart, change, newReplay, newSecret, newStored, rotate, type Stored, secretOf, update } from "./store.ts";

/** Makes the server. @param keys the scopes of each API key */
export async function memoryServer(keys: ReadonlyMap<string, { scopes: ("read" | "write")[] }>): Promise<Express> {
  return express().use(await contract({ authenticate: (key) => keys.get(key), handlers: handlers(new Map()) }));
}

function handlers(webhooks: Map<string, Stored>): Handlers {
  const once = answersOnce((id) => webhooks.has(id));
  // There is one account.
  const shared = { secret: newSecret() };
  const get = ({ id }: { id: string }) => webhooks.get(id) ?? missing("webhook");
  const given = (body: { addresses: string[] }) => readAddresses(body.addresses, "addresses");
  return {
    createWebhook: ({ headers, body }) =>
      once(headers["idempotency-key"], body, async () => {
        const { chainId, fromBlock } = body;
        // There is no block after genesis.
        if (fromBlock !== undefined && fromBlock !== "0") throw aboveNewestBlock(chainId, 0);
        const stored = newStored(await readNewWebhook(body, served), readHeaders(body.headers));
        if (fromBlock !== undefined) stored.record.effectiveFromBlock = fromBlock;
        webhooks.set(stored.record.id, stored);
        const headers = { Location: `/v1/webhooks/${stored.record.id}` };
        return { status: 201, headers, body: structuredClone(stored.record) };
      }),
    listWebhooks({ query }) {
      const all = [...webhooks.values()]
        .reverse()
        .filter(({ record }) => record.status === (query.status ?? record.status));
      const { webhooks: shown, ...next } = page("webhooks", all, ({ place }) => place, query);
      return ok({ webhooks: shown.map(({ record }) => inPageOf(query.pageSize, record)), ...next });
    },
    getWebhook: ({ path }) => ok(get(path).record),
    updateWebhook({ path, body }) {
      const stored = get(path);
      assertChange(body, stored.record, served);
      return ok(update(stored, body));
    },
    deleteWebhook({ path }) {
      const stored = get(path);
      webhooks.delete(path.id);
      return ok(update(stored, { status: "inactive" }));
    },
    listWebhookAddresses({ path, query }) {
      const all = [...get(path).addresses].sort();
      return ok({ ...page("addresses", all, (one) => one, query), totalAddresses: all.length });
    },
    listWebhookAddressDigests({ path, query }) {
      const groups = divideByPrefix(get(path).addresses, query.prefix);
      return ok({
        digests: groups.map(([prefix, all]) => ({ prefix, count: all.length, digest: addressDigest(all) })),
      });
    },
    async addWebhookAddresses({ path, body }) {
      const [stored, addresses] = [get(path), await given(body)];
      if (body.fromBlock === undefined) return ok(change(stored, addresses, "add"));
      if (body.fromBlock !== "0") throw aboveNewestBlock(stored.record.chainId, 0);
      // Nothing happened at genesis, so all additions share a replay.
      const isNew = addresses.some((address) => !stored.addresses.has(address));
      if (isNew) stored.past ??= newReplay(stored, { fromBlock: "0", toBlock: "0", includeEarlier: true }).body.id;
      return ok({ ...change(stored, addresses, "add"), ...(stored.past && { replayId: stored.past }) });
    },
    removeWebhookAddresses: async ({ path, body }) => ok(change(get(path), await given(body), "delete")),
    async changeWebhookAddresses({ path, body: { add = [], remove = [], ...body } }) {
      const part = { add: await readAddresses(add, "add"), remove: await readAddresses(remove, "remove") };
      const stored = get(path);
      const { state, after } = addPart(stored, path.changeId, part);
      if (state.committed || !body.commit) return ok(state);
      if (!stored.changes.has(path.changeId)) return missing("change");
      const digest = addressDigest(after);
      if ((body.addressDigest?.toLowerCase() ?? digest) !== digest)
        throw new HttpError(409, `addressDigest must be ${digest}.`);
      const gone = [...stored.addresses].filter((address) => !after.has(address));
      const { changed: removed } = change(stored, gone, "delete");
      const { changed: added, addressCount, effectiveFromBlock } = change(stored, [...after], "add");
      const done = {
        ...state,
        committed: true,
        added,
        removed,
        addressCount,
        addressDigest: digest,
        effectiveFromBlock,
      };
      stored.changes.set(path.changeId, { add: [], remove: [], done });
      return ok(done);
    },
    getWebhookSecret: ({ path }) => ok(secretOf(get(path))),
    rotateWebhookSecret: ({ path }) => ok(rotate(get(path), newSecret())),
    getSharedSecret: () => ok(inHex(secretOf(shared))),
    rotateSharedSecret: () => ({ status: 201, body: inHex(rotate(shared, newSecret())) }),
    testWebhook: async ({ path }) => ok(await sendTest(get(path), shared)),
    listNotifications: ({ path }) => ok(get(path) && { notifications: [] }),
    readFeed: ({ path }) => ok(get(path) && { notifications: [], lastSequence: 0 }),
    getNotification: ({ path }) => get(path) && missing("notification"),
    resendNotification: ({ path }) => get(path) && missing("notification"),
    createReplay: ({ path, body }) => newReplay(get(path), body),
    getReplay: ({ path }) => ok(get(path).replays.get(path.replayId) ?? missing("replay")),
    // Each is done as soon as it is created, so there is nothing to cancel.
    cancelReplay: ({ path }) => ok(get(path).replays.get(path.replayId) ?? missing("replay")),
    // Without a chain there is no block, and no transaction either.
    async previewWebhook({ body }) {
      const { place } = await readPreview(body, served);
      throw "txHash" in place ? unknownTransaction(body.chainId) : unknownBlock(body.chainId);
    },
    explainWebhook({ path }) {
      throw unknownTransaction(get(path).record.chainId);
    },
    ...operationalHandlers(),
    listChains: () => ok({ chains: served.chains }),
  };
}
