/** The secret that a webhook's notifications are signed with. */
import type { components } from "../../../generated/types.ts";
import { inTransaction } from "../../store/pool.ts";
import { getSecret, rotateSecret, type SecretInfo } from "../../store/webhooks/secrets.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";

export function secretHandlers({
  pool,
  keyring,
}: HandlerContext): Pick<ServiceHandlers, "getWebhookSecret" | "rotateWebhookSecret"> {
  return {
    async getWebhookSecret({ caller, path }) {
      return { status: 200, body: toSecret(await getSecret(pool, caller.accountId, path.id, keyring)) };
    },
    async rotateWebhookSecret({ caller, path }) {
      const secret = await inTransaction(pool, (db) => rotateSecret(db, caller.accountId, path.id, keyring));
      return { status: 200, body: toSecret(secret) };
    },
  };
}

function toSecret({ secret, previousExpiresAt }: SecretInfo): components["schemas"]["WebhookSecret"] {
  return {
    secret: `whsec_${secret.toString("base64")}`,
    ...(previousExpiresAt && { previousSecretExpiresAt: previousExpiresAt.getTime() }),
  };
}
