/** The account's operational webhook, to which the service sends what happens to its other webhooks. */
import { operationalWithoutUrl, readOperational } from "../../contract/webhook-input.ts";
import { operationalTestText } from "../../operational/forms.ts";
import { createAnnouncer } from "../../store/delivery/announcements.ts";
import {
  deleteOperationalWebhook,
  getOperationalWebhook,
  operationalWebhookId,
  putOperationalWebhook,
} from "../../store/operational.ts";
import { inTransaction } from "../../store/pool.ts";
import { getSecret, rotateSecret } from "../../store/webhooks/secrets.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";
import { toSecret } from "./secrets.ts";
import { testSender } from "./tests.ts";

type OperationalHandlers = Pick<
  ServiceHandlers,
  | "putOperationalWebhook"
  | "getOperationalWebhook"
  | "deleteOperationalWebhook"
  | "getOperationalSecret"
  | "rotateOperationalSecret"
  | "testOperationalWebhook"
>;

export function operationalHandlers(context: HandlerContext): OperationalHandlers {
  const { pool, keyring } = context;
  const announce = createAnnouncer(pool);
  const sendTest = testSender(context);
  return {
    async putOperationalWebhook({ caller: { accountId }, body }) {
      const wanted = readOperational(body, context);
      const webhook = await inTransaction(pool, (db) => putOperationalWebhook(db, accountId, wanted, keyring));
      // Events may have waited for its activation.
      announce();
      return { status: 200, body: webhook };
    },
    async getOperationalWebhook({ caller: { accountId } }) {
      return { status: 200, body: await getOperationalWebhook(pool, accountId) };
    },
    async deleteOperationalWebhook({ caller: { accountId } }) {
      return { status: 200, body: await inTransaction(pool, (db) => deleteOperationalWebhook(db, accountId)) };
    },
    async getOperationalSecret({ caller: { accountId } }) {
      const id = await operationalWebhookId(pool, accountId);
      return { status: 200, body: toSecret(await getSecret(pool, accountId, id, keyring)) };
    },
    async rotateOperationalSecret({ caller: { accountId } }) {
      const secret = await inTransaction(pool, async (db) => {
        const id = await operationalWebhookId(db, accountId);
        return rotateSecret(db, accountId, id, keyring);
      });
      return { status: 200, body: toSecret(secret) };
    },
    async testOperationalWebhook({ caller: { accountId } }) {
      const { url } = await getOperationalWebhook(pool, accountId);
      if (url === undefined) throw operationalWithoutUrl();
      return { status: 200, body: await sendTest(await operationalWebhookId(pool, accountId), operationalTestText()) };
    },
  };
}
