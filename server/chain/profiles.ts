/**
 * What is true of a chain that is true of its kind: which checks its blocks pass, and when they are final. A check is off only
 * where blocks of that kind are known to fail it, and where its kind is not known nothing is taken for granted.
 */
import { type Checks, checkNames } from "./checks/check.ts";
import type { ChainConfig, Finality } from "./config.ts";

export type Profile = { name: string; chainIds: readonly string[]; checks: Checks; finality: Finality };

const allOn = Object.fromEntries(checkNames.map((name) => [name, "on"])) as Checks;

/**
 * Header fields of its own (`extDataHash` and those behind it) are known. Since Helicon blocks are executed later, and say so:
 * bloom, receipts root and trace gas then say nothing. What is accepted is final.
 */
const avalanche: Profile = {
  name: "Avalanche C-Chain",
  chainIds: ["43114", "43113"],
  checks: allOn,
  finality: "latest",
};

/** Mainnet, Sepolia, Holesky, Hoodi: what all checks are made from. Final after two epochs, by tag. */
const ethereum: Profile = {
  name: "Ethereum",
  chainIds: ["1", "11155111", "17000", "560048"],
  checks: allOn,
  finality: "finalized",
};

/**
 * OP Mainnet, Base, Unichain, World, Soneium, Ink, Zora, Mode, and the test networks of the first two. Before Regolith deposits
 * used gas that their receipts do not count. Final with the parent chain's block that holds the batch, by tag.
 */
const opStack: Profile = {
  name: "OP stack",
  chainIds: ["10", "8453", "130", "480", "1868", "57073", "7777777", "34443", "11155420", "84532"],
  checks: { ...allOn, traceGas: "off" },
  finality: "finalized",
};

/** One, Nova and Sepolia. Receipts count the gas that the parent chain's data costs, traces do not. Final as the OP stack. */
const arbitrum: Profile = {
  name: "Arbitrum",
  chainIds: ["42161", "42170", "421614"],
  checks: { ...allOn, traceGas: "off" },
  finality: "finalized",
};

/**
 * PoS and Amoy. State-sync transactions, at the end of every sixteenth block or so, are left out of roots and bloom as the
 * header leaves them out, but many nodes do not trace them. Final by milestones, to which the tag refers.
 */
const polygon: Profile = {
  name: "Polygon PoS",
  chainIds: ["137", "80002"],
  checks: { ...allOn, traces: "off", traceGas: "off" },
  finality: "finalized",
};

/**
 * What does not hold of the chain shows at its first block, in an error that names the check, and is then turned off by that
 * name. The other way round, a node that leaves out logs would show to nobody. What counts as gas varies too much.
 */
const unknown: Profile = {
  name: "unknown",
  chainIds: [],
  checks: { ...allOn, traceGas: "off" },
  finality: "finalized",
};

/** All profiles; that of chains that have none comes last. */
export const profiles: readonly Profile[] = [avalanche, ethereum, opStack, arbitrum, polygon, unknown];

export function profileOf(chainId: string): Profile {
  return profiles.find(({ chainIds }) => chainIds.includes(chainId)) ?? unknown;
}

/** The checks of a chain's profile, as its configuration changes them. */
export function checksOf({ chainId, checks }: Pick<ChainConfig, "chainId" | "checks">): Checks {
  return { ...profileOf(chainId).checks, ...checks };
}
