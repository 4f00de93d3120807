/** What handlers work with. */

import type { Handlers } from "../contract/operation-types.ts";
import type { Served } from "../contract/served-chains.ts";
import type { Caller } from "../store/accounts/keys.ts";
import type { Quotas } from "../store/accounts/quotas.ts";
import type { Pool } from "../store/pool.ts";
import type { Keyring } from "../store/webhooks/keyring.ts";

/** The service as handlers see it. */
export type HandlerContext = Served & {
  pool: Pool;
  /** What opens the webhooks' secrets. */
  keyring: Keyring;
  /** How much accounts may have that have no quota of their own; nothing is counted unless given. */
  quotas?: Quotas;
};

/** The handlers of the service: those who call have accounts. */
export type ServiceHandlers = Handlers<Caller>;
