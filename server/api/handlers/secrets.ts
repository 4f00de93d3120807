/** The secrets that notifications are signed with. */
import type { components } from "../../../generated/types.ts";
import { inTransaction } from "../../store/pool.ts";
import {
  getSecret,
  getSharedSecret,
  rotateSecret,
  rotateSharedSecret,
  type SecretInfo,
} from "../../store/webhooks/secrets.ts";
import { assertWebhook } from "../../store/webhooks/webhooks.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";

export function secretHandlers({
  pool,
  keyring,
}: HandlerContext): Pick<
  ServiceHandlers,
  "getWebhookSecret" | "rotateWebhookSecret" | "getSharedSecret" | "rotateSharedSecret"
> {
  return {
    async getWebhookSecret({ caller, path }) {
      await assertWebhook(pool, caller.accountId, path.id);
      return { status: 200, body: toSecret(await getSecret(pool, caller.accountId, path.id, keyring)) };
    },
    async rotateWebhookSecret({ caller, path }) {
      await assertWebhook(pool, caller.accountId, path.id);
      const secret = await inTransaction(pool, (db) => rotateSecret(db, caller.accountId, path.id, keyring));
      return { status: 200, body: toSecret(secret) };
    },
    async getSharedSecret({ caller: { accountId } }) {
      return { status: 200, body: toSharedSecret(await getSharedSecret(pool, accountId, keyring)) };
    },
    async rotateSharedSecret({ caller: { accountId } }) {
      const secret = await inTransaction(pool, (db) => rotateSharedSecret(db, accountId, keyring));
      return { status: 201, body: toSharedSecret(secret) };
    },
  };
}

export function toSecret({ secret, ...previous }: SecretInfo): components["schemas"]["WebhookSecret"] {
  return { secret: `whsec_${secret.toString("base64")}`, ...expiryOf(previous) };
}

function toSharedSecret({ secret, ...previous }: SecretInfo): components["schemas"]["SharedSecret"] {
  return { secret: secret.toString("hex"), ...expiryOf(previous) };
}

const expiryOf = ({ previousExpiresAt }: Pick<SecretInfo, "previousExpiresAt">) =>
  previousExpiresAt ? { previousSecretExpiresAt: previousExpiresAt.getTime() } : {};
