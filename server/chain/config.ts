/** A chain's configuration, and the chains followed by default. Every room of `chain/` but `nodes/` and `check/` may import it. */
import type { Checks } from "./check/check.ts";
import type { Finality } from "./check/profiles.ts";

/** How to follow one chain. */
export type ChainConfig = {
  /** EIP-155, decimal. */
  chainId: string;
  name: string;
  /** HTTP JSON-RPC addresses, the preferred one first. */
  rpcUrls: string[];
  /** Where new heads are announced. Saves waiting for the next poll; nothing depends on it. */
  wsUrl?: string;
  /** Whether the nodes support `debug_traceBlockByHash`. */
  traces: boolean;
  finality: Finality;
  pollMs: number;
  /** How long without a successful step before the chain counts as stopped; `defaultPatienceMs` by default. */
  patienceMs?: number;
  /** The first block to follow if none is recorded yet. Otherwise following starts after the head. */
  startBlock?: number;
  /** Overrides checks of the chain's profile. */
  checks?: Partial<Checks>;
};

export const defaultPatienceMs = 60_000;

/** The two chains of the specification, at their public nodes, which do not trace. */
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
