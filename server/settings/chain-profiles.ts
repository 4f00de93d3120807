/**
 * The profiles of known chains: which checks their blocks pass, how blocks are hashed, and when they are final. A check is off only if
 * correct blocks of the chain are known to fail it.
 */

/** The checks in the order in which they run: the cheap and telling ones first. */
export const checkNames = [
  "parentHash",
  "receipts",
  "logIndex",
  "bloom",
  "transactionsRoot",
  "receiptsRoot",
  "headerHash",
  "traces",
  "traceGas",
] as const;
export type CheckName = (typeof checkNames)[number];

/** Which checks a chain's blocks must pass. */
export type Checks = Readonly<Record<CheckName, "on" | "off">>;

/**
 * The kinds of chains that hash blocks differently or have transactions of their own. An `unknown` chain may be of any of the first
 * three. The kind follows from the chain's identifier, never from a node's response: no field that a node adds may turn a check off.
 */
export type ChainKind = "ethereum" | "avalanche" | "polygon" | "zksync" | "unknown";

/** Which checks apply to a chain, and how. */
export type Rules = { checks: Checks; kind: ChainKind };

/** Which blocks a chain cannot replace any more. */
export type Finality = "latest" | "finalized" | { confirmations: number };

type Profile = {
  name: string;
  chainIds: readonly string[];
  kind: ChainKind;
  checks: Checks;
  finality: Finality;
};

const allOn = Object.fromEntries(checkNames.map((name) => [name, "on"])) as Checks;
/** For chains whose receipts count gas that traces do not show, or whose nodes disagree on what traces show. */
const noTraceGas: Checks = { ...allOn, traceGas: "off" };

/**
 * Headers have fields of their own, `extDataHash` and those after it. Since Helicon blocks are executed later, and their headers say so:
 * `bloom`, `receiptsRoot` and `traceGas` are skipped then. An accepted block is final.
 */
const avalanche: Profile = {
  name: "Avalanche C-Chain",
  chainIds: ["43114", "43113"],
  kind: "avalanche",
  checks: allOn,
  finality: "latest",
};

/** Mainnet, Sepolia, Holesky, Hoodi. Final after two epochs, by tag. */
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
 * Mainnet and Chapel. The validator signs system transactions at the end of a block, for no fee and with a gas limit that no trace has.
 * Roots and bloom include them. Final by votes, to which the tag refers.
 */
const bsc: Profile = {
  name: "BNB Smart Chain",
  chainIds: ["56", "97"],
  kind: "ethereum",
  checks: noTraceGas,
  finality: "finalized",
};

/**
 * OP Mainnet, Base, Unichain, World, Soneium, Ink, Zora, Mode, and the test networks of the first two. Before Regolith,
 * deposits used gas that their receipts do not count. Final with the parent chain's block that holds the batch, by tag.
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
 * PoS and Amoy. About every sixteenth block ends with a state-sync transaction. Headers before Madhugiri leave it out of roots and bloom,
 * and many nodes do not trace it. Final by milestones, to which the tag refers.
 */
const polygon: Profile = {
  name: "Polygon PoS",
  chainIds: ["137", "80002"],
  kind: "polygon",
  checks: allOn,
  finality: "finalized",
};

/**
 * zkSync Era and its Sepolia, Abstract and its test network, Lens, Sophon, Zero. A block's hash commits to its transactions, but
 * not to their effects: roots are zero, and so is the receipts' cumulative gas. Only newer nodes return a bloom. The top of each trace is
 * the bootloader's call, not the transaction's. Final when executed on the parent chain, by tag.
 */
const zkStack: Profile = {
  name: "ZK stack",
  chainIds: ["324", "300", "2741", "11124", "232", "50104", "543210"],
  kind: "zksync",
  checks: { ...noTraceGas, receiptsRoot: "off", traces: "off" },
  finality: "finalized",
};

/**
 * Mainnet and its test network. Blocks are Tendermint's: the hash is not that of the header, the receipts' root is always that of none, and
 * the transactions' root is one of Tendermint's. The bloom is that of the logs. A block is final once there is one.
 */
const cronos: Profile = {
  name: "Cronos",
  chainIds: ["25", "338"],
  kind: "ethereum",
  checks: { ...noTraceGas, transactionsRoot: "off", receiptsRoot: "off", headerHash: "off" },
  finality: "latest",
};

/**
 * For every other chain. If a check does not fit the chain, its first block fails with an error that says how to turn the check off.
 * With checks off by default, nobody would notice a node that leaves out logs.
 */
const unknown: Profile = {
  name: "unknown",
  chainIds: [],
  kind: "unknown",
  checks: noTraceGas,
  finality: "finalized",
};

/** `unknown` comes last. */
export const profiles: readonly Profile[] = [
  ...[avalanche, ethereum, bsc, polygon, arbitrum, opStack, linea, zkStack, scroll, gnosis, celo, cronos],
  unknown,
];

export function profileOf(chainId: string): Profile {
  return profiles.find(({ chainIds }) => chainIds.includes(chainId)) ?? unknown;
}

/** A chain, and what its configuration changes of its profile's checks. */
type ChainChecks = { chainId: string; checks?: Partial<Checks> };

export function checksOf({ chainId, checks }: ChainChecks): Checks {
  return { ...profileOf(chainId).checks, ...checks };
}

export function rulesOf(chain: ChainChecks): Rules {
  return { checks: checksOf(chain), kind: profileOf(chain.chainId).kind };
}

/**
 * Whether a header proves which logs its block cannot have. A header of the ZK stack is not proven by its hash, and one of Polygon may leave out the
 * logs of the chain's own transactions. A chain without a profile may be like Polygon, unless its configuration says that blooms are to be checked.
 */
export function hasTrueBlooms(chain: ChainChecks): boolean {
  const { checks, kind } = rulesOf(chain);
  if (kind === "zksync" || kind === "polygon" || (kind === "unknown" && chain.checks?.bloom !== "on")) return false;
  return checks.bloom === "on" && checks.headerHash === "on";
}
