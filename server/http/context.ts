/** What handlers work with. */
import type { Pool } from "../store/pool.ts";

/** A chain on which webhooks can be created. */
export type ServedChain = {
  /** EIP-155, decimal. */
  chainId: string;
  name: string;
  /** Whether webhooks on it can have `includeInternalTxs`. */
  traces: boolean;
};

/** The service as handlers see it. */
export type HandlerContext = {
  pool: Pool;
  chains: readonly ServedChain[];
  /** Whether webhooks may have http URLs and hosts outside the public internet. */
  allowPrivateTargets: boolean;
};
