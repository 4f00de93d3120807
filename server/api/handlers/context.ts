/** What handlers work with. */
import type { Handlers } from "../../contract/handlers.ts";
import type { SupportedChain, WebhookPolicy } from "../../contract/webhook-input.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import type { Keyring } from "../../settings/keyring.ts";
import type { Quotas } from "../../settings/limits.ts";
import type { Periods } from "../../settings/periods.ts";
import type { Caller } from "../../store/accounts/keys.ts";
import type { Pool } from "../../store/pool.ts";

/** The service as handlers see it. */
export type HandlerContext = WebhookPolicy & {
  chains: readonly (SupportedChain & Pick<ChainConfig, "checks">)[];
  pool: Pool;
  /** Decrypts the webhooks' secrets. */
  keyring: Keyring;
  /** For accounts without their own quota; nothing is counted without it. */
  quotas?: Quotas;
  /** The defaults if not set. */
  periods?: Periods;
};

/** The service's handlers: its callers have accounts. */
export type ServiceHandlers = Handlers<Caller>;
