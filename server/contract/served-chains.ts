/** What of a server's configuration decides whether a webhook can be created. */
import type { TargetPolicy } from "../targets.ts";

/** A chain on which webhooks can be created. */
export type ServedChain = {
  /** EIP-155, decimal. */
  chainId: string;
  name: string;
  /** Whether webhooks on it can have `includeInternalTxs`. */
  traces: boolean;
};

/** What webhooks are created for. */
export type Served = TargetPolicy & {
  chains: readonly ServedChain[];
};
