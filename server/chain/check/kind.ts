/**
 * The kinds of chains, where a kind changes how blocks are hashed or what they hold. An `unknown` chain may be of any of the first
 * three. A chain's kind follows from its identifier, never from what a node returns: a field that a node adds must not turn a check off.
 */
export type Kind = "ethereum" | "avalanche" | "polygon" | "zksync" | "unknown";
