/** What a chain's configuration holds, and the chains followed by default. */
import type { Checks } from "./check/check.ts";

/** Below which block a chain cannot change any more. */
export type Finality = "latest" | "finalized" | { confirmations: number };

/** How to follow one chain. */
export type ChainConfig = {
  /** EIP-155, decimal. */
  chainId: string;
  name: string;
  /** HTTP JSON-RPC addresses, the preferred one first. */
  rpcUrls: string[];
  /** Where new heads are announced: saves waiting for the next poll, and nothing depends on it. */
  wsUrl?: string;
  /** Whether the nodes answer `debug_traceBlockByHash`. */
  traces: boolean;
  finality: Finality;
  pollMs: number;
  /** After how long without a step that goes well the chain is said to stand still; a minute unless given. */
  patienceMs?: number;
  /** The first block to follow, when none has been recorded yet. Without it, the one after the head. */
  startBlock?: number;
  /** What differs from the checks of the chain's profile. */
  checks?: Partial<Checks>;
};

/** For how long nothing may go well before a chain is said to stand still, unless its configuration says otherwise. */
export const usualPatienceMs = 60_000;

/** The chains followed unless configured otherwise: the two of the specification, at their public nodes, which do not trace. */
export const defaultChains: readonly ChainConfig[] = [
  {
    chainId: "43114",
    name: "Avalanche C-Chain",
    rpcUrls: ["https://api.avax.network/ext/bc/C/rpc"],
    wsUrl: "wss://api.avax.network/ext/bc/C/ws",
    traces: false,
    finality: "latest",
    pollMs: 1_000,
  },
  {
    chainId: "43113",
    name: "Avalanche Fuji C-Chain",
    rpcUrls: ["https://api.avax-test.network/ext/bc/C/rpc"],
    wsUrl: "wss://api.avax-test.network/ext/bc/C/ws",
    traces: false,
    finality: "latest",
    pollMs: 1_000,
  },
];
