/** Webhooks themselves. */
import { unavailable } from "../../contract/errors.ts";
import type { Output } from "../../contract/handlers.ts";
import { assertChange, readNewWebhook } from "../../contract/webhook-input.ts";
import { readHeaders } from "../../contract/webhook-options.ts";
import { shownInPageOf } from "../../settings/limits.ts";
import { answerOnce, wasAnswered } from "../../store/accounts/idempotency.ts";
import { createAnnouncer } from "../../store/delivery/announcements.ts";
import { inTransaction } from "../../store/pool.ts";
import { deleteWebhook, updateWebhook } from "../../store/webhooks/changes.ts";
import { createWebhook } from "../../store/webhooks/creation.ts";
import { sealHeaders } from "../../store/webhooks/secrets.ts";
import { getWebhook, listWebhooks } from "../../store/webhooks/webhooks.ts";
import { policyFor } from "./chains.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";
import { parseWebhookPageToken, webhookPageToken } from "./page-token.ts";
import { historyStart } from "./questions.ts";

type WebhookHandlers = Pick<
  ServiceHandlers,
  "createWebhook" | "listWebhooks" | "getWebhook" | "updateWebhook" | "deleteWebhook"
>;

export function webhookHandlers(context: HandlerContext): WebhookHandlers {
  const { pool, keyring, quotas } = context;
  const announce = createAnnouncer(pool);

  return {
    async createWebhook({ caller: { accountId }, headers, body }) {
      const newWebhook = await readNewWebhook(body, await policyFor(context, body));
      const key = headers["idempotency-key"];
      const { fromBlock, historyMode } = body;
      // Nodes are asked before the transaction. What was created already needs no answer of theirs.
      const isPast = fromBlock !== undefined && !(key !== undefined && (await wasAnswered(pool, { accountId, key })));
      const start = isPast ? await historyStart(pool, accountId, { ...newWebhook, fromBlock }) : undefined;
      const mode = (["headers", "logs"] as const).find((known) => known === historyMode);
      const history = start && { ...start, mode };
      return inTransaction(pool, async (db) => {
        const create = async (): Promise<Output<"createWebhook">> => {
          if (fromBlock !== undefined && !isPast) throw unavailable("The Idempotency-Key has just expired");
          const wanted = { ...newWebhook, history, headers: readHeaders(body.headers) };
          const webhook = await createWebhook(db, accountId, wanted, keyring, quotas);
          return { status: 201, headers: { Location: `/v1/webhooks/${webhook.id}` }, body: webhook };
        };
        return key === undefined ? create() : answerOnce(db, { accountId, key, body }, create);
      });
    },
    async listWebhooks({ caller, query: { status, pageToken, pageSize } }) {
      const after = parseWebhookPageToken(pageToken);
      const addresses = shownInPageOf(pageSize);
      const found = await listWebhooks(pool, caller.accountId, { limit: pageSize + 1, addresses, status, after });
      const webhooks = found.slice(0, pageSize);
      const last = found.length > webhooks.length ? webhooks.at(-1) : undefined;
      return { status: 200, body: { webhooks, ...(last && { nextPageToken: webhookPageToken(last) }) } };
    },
    async getWebhook({ caller, path }) {
      return { status: 200, body: await getWebhook(pool, caller.accountId, path.id) };
    },
    async updateWebhook({ caller, path, body }) {
      const before = await getWebhook(pool, caller.accountId, path.id);
      assertChange(body, before, context);
      const { headers, ...fields } = body;
      const sealed = headers !== undefined && sealHeaders(before.id, readHeaders(headers), keyring);
      const change = { ...fields, ...(sealed !== false && { headers: sealed }) };
      const webhook = await inTransaction(pool, (db) => updateWebhook(db, caller.accountId, path.id, change));
      // Notifications may have waited for its activation.
      if (body.status === "active") announce();
      return { status: 200, body: webhook };
    },
    async deleteWebhook({ caller, path }) {
      const webhook = await inTransaction(pool, (db) => deleteWebhook(db, caller.accountId, path.id));
      return { status: 200, body: webhook };
    },
  };
}
