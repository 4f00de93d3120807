/** Signing secrets: after a rotation the one before signs too, for a day. */
import { randomBytes } from "node:crypto";
import type { components } from "chain-webhooks/types";
import type { Stored } from "./store.ts";

const dayMs = 86_400_000;

export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

export function rotate(stored: Stored): components["schemas"]["WebhookSecret"] {
  stored.previous = { secret: stored.secret, until: Date.now() + dayMs };
  stored.secret = newSecret();
  return secretOf(stored);
}

/** The secret as the contract shows it. */
export function secretOf({ secret, previous }: Stored): components["schemas"]["WebhookSecret"] {
  return previous && previous.until > Date.now() ? { secret, previousSecretExpiresAt: previous.until } : { secret };
}

/** The secrets that sign now. */
export function secretsOf({ secret, previous }: Stored): string[] {
  return previous && previous.until > Date.now() ? [secret, previous.secret] : [secret];
}
