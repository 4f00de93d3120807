/** What handlers work with. */
import type { Keyring } from "../store/keyring.ts";
import type { Caller } from "../store/keys.ts";
import type { Pool } from "../store/pool.ts";
import type { Handlers } from "./operation-types.ts";
import type { Served } from "./served.ts";

/** The service as handlers see it. */
export type HandlerContext = Served & { pool: Pool; keyring: Keyring };

/** The handlers of the service: those who call have accounts. */
export type ServiceHandlers = Handlers<Caller>;
