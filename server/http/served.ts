/** What of a server's configuration decides whether a webhook can be created. */

/** A chain on which webhooks can be created. */
export type ServedChain = {
  /** EIP-155, decimal. */
  chainId: string;
  name: string;
  /** Whether webhooks on it can have `includeInternalTxs`. */
  traces: boolean;
};

/** What webhooks are created for. */
export type Served = {
  chains: readonly ServedChain[];
  /** Whether webhooks may have http URLs and hosts outside the public internet. */
  allowPrivateTargets: boolean;
};
