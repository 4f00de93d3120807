/**
 * What is true of a chain because it is true of its kind: which checks its blocks pass, how they are hashed, and when they are final.
 * A check is off only where blocks of that kind are known to fail it. An unknown kind takes nothing for granted.
 */

import type { ChainConfig, Finality } from "../config.ts";
import { type Checks, checkNames, type Rules } from "./check.ts";
import type { Kind } from "./kind.ts";

export type Profile = { name: string; chainIds: readonly string[]; kind: Kind; checks: Checks; finality: Finality };

const allOn = Object.fromEntries(checkNames.map((name) => [name, "on"])) as Checks;
/** Where a receipt counts gas that a trace does not show, or nodes disagree on what a trace shows. */
const noTraceGas: Checks = { ...allOn, traceGas: "off" };

/**
 * Header fields of its own (`extDataHash` and those behind it) are known. Since Helicon blocks are executed later, and say so:
 * bloom, receipts root and trace gas then say nothing. What is accepted is final.
 */
const avalanche: Profile = {
  name: "Avalanche C-Chain",
  chainIds: ["43114", "43113"],
  kind: "avalanche",
  checks: allOn,
  finality: "latest",
};

/** Mainnet, Sepolia, Holesky, Hoodi: what all checks are made from. Final after two epochs, by tag. */
const ethereum: Profile = {
  name: "Ethereum",
  chainIds: ["1", "11155111", "17000", "560048"],
  kind: "ethereum",
  checks: allOn,
  finality: "finalized",
};

/** Mainnet and Chiado, since the merge: Ethereum's rules and clients, and its finality. */
const gnosis: Profile = { ...ethereum, name: "Gnosis", chainIds: ["100", "10200"] };

/**
 * Mainnet and Chapel. System transactions at the end of a block are signed by the validator, for no fee and with a gas limit that no
 * trace has; roots and bloom count them like any other. Final by votes, to which the tag refers.
 */
const bsc: Profile = {
  name: "BNB Smart Chain",
  chainIds: ["56", "97"],
  kind: "ethereum",
  checks: noTraceGas,
  finality: "finalized",
};

/**
 * OP Mainnet, Base, Unichain, World, Soneium, Ink, Zora, Mode, and the test networks of the first two. Before Regolith deposits
 * used gas that their receipts do not count. Final with the parent chain's block that holds the batch, by tag.
 */
const opStack: Profile = {
  name: "OP stack",
  chainIds: ["10", "8453", "130", "480", "1868", "57073", "7777777", "34443", "11155420", "84532"],
  kind: "ethereum",
  checks: noTraceGas,
  finality: "finalized",
};

/** Mainnet, Sepolia, Alfajores, since it is of the OP stack. A fee in a token costs gas that traces do not show. */
const celo: Profile = { ...opStack, name: "Celo", chainIds: ["42220", "11142220", "44787"] };

/** One, Nova and Sepolia. Receipts count the gas that the parent chain's data costs, traces do not. Final as the OP stack. */
const arbitrum: Profile = {
  name: "Arbitrum",
  chainIds: ["42161", "42170", "421614"],
  kind: "ethereum",
  checks: noTraceGas,
  finality: "finalized",
};

/** Mainnet and Sepolia: Ethereum's rules. Final when proven on the parent chain, by tag. */
const linea: Profile = {
  name: "Linea",
  chainIds: ["59144", "59141"],
  kind: "ethereum",
  checks: noTraceGas,
  finality: "finalized",
};

/** Mainnet and Sepolia. Messages from the parent chain have a serialization of their own. Final when proven there, by tag. */
const scroll: Profile = { ...linea, name: "Scroll", chainIds: ["534352", "534351"] };

/**
 * PoS and Amoy. State-sync transactions, at the end of every sixteenth block or so, are left out of roots and bloom as the
 * header leaves them out, and many nodes do not trace them: these, and no others. Final by milestones, to which the tag refers.
 */
const polygon: Profile = {
  name: "Polygon PoS",
  chainIds: ["137", "80002"],
  kind: "polygon",
  checks: allOn,
  finality: "finalized",
};

/**
 * zkSync Era and its Sepolia, Abstract and its test network, Lens, Sophon, Zero. A block's hash commits to its transactions and to
 * nothing that they did: roots are zero, and so is the gas that receipts count up. A bloom is given by newer nodes only. The top of
 * each trace is the bootloader's call, not the transaction's. Final when executed on the parent chain, by tag.
 */
const zkStack: Profile = {
  name: "ZK stack",
  chainIds: ["324", "300", "2741", "11124", "232", "50104", "543210"],
  kind: "zksync",
  checks: { ...noTraceGas, receiptsRoot: "off", traces: "off" },
  finality: "finalized",
};

/**
 * What does not hold of the chain shows at its first block, in an error that names all such checks and how to turn them off. The
 * other way round, a node that leaves out logs would show to nobody.
 */
const unknown: Profile = {
  name: "unknown",
  chainIds: [],
  kind: "unknown",
  checks: noTraceGas,
  finality: "finalized",
};

/** All profiles; that of chains that have none comes last. */
export const profiles: readonly Profile[] = [
  ...[avalanche, ethereum, bsc, polygon, arbitrum, opStack, linea, zkStack, scroll, gnosis, celo],
  unknown,
];

export function profileOf(chainId: string): Profile {
  return profiles.find(({ chainIds }) => chainIds.includes(chainId)) ?? unknown;
}

/** The checks of a chain's profile, as its configuration changes them. */
export function checksOf({ chainId, checks }: Pick<ChainConfig, "chainId" | "checks">): Checks {
  return { ...profileOf(chainId).checks, ...checks };
}

/** What the chain's blocks must be like. */
export function rulesOf(chain: Pick<ChainConfig, "chainId" | "checks">): Rules {
  return { checks: checksOf(chain), kind: profileOf(chain.chainId).kind };
}
