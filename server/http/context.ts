/** What handlers work with. */
import type { Keyring } from "../store/keyring.ts";
import type { Caller } from "../store/keys.ts";
import type { Pool } from "../store/pool.ts";
import type { Quotas } from "../store/quotas.ts";
import type { Handlers } from "./operation-types.ts";
import type { Served } from "./served.ts";

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
