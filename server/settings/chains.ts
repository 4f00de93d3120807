/** The configuration of chains, its parser, and the chains followed by default. Errors name the field. */
import { type Checks, checkNames, type Finality, profileOf } from "./chain-profiles.ts";
import { invalid, jsonText, type Parse, parseJson } from "./parsers.ts";

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

type Fields = Record<string, unknown>;

const known = [
  "chainId",
  "name",
  "rpcUrls",
  "wsUrl",
  "traces",
  "finality",
  "pollMs",
  "patienceMs",
  "startBlock",
  "checks",
];

/** JSON, or `@` and the path of a file with JSON. */
export const chains: Parse<readonly ChainConfig[]> = (text, name) => parseChains(jsonText(text, name), name);

/**
 * @param text a JSON list of chains
 * @param source its name in errors, such as `CHAINS`
 * @throws {ServiceError} `config_invalid`
 */
export function parseChains(text: string, source: string): ChainConfig[] {
  const value = parseJson(text, source);
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(`${source} must be a JSON list of at least one chain.`);
  const chains = value.map((chain, index) => parseChain(chain, `${source}[${index}]`));
  const repeated = chains.find(
    ({ chainId }, index) => chains.findIndex((chain) => chain.chainId === chainId) !== index,
  );
  if (repeated) throw invalid(`${source} must name each chain once, but chainId ${repeated.chainId} is there twice.`);
  return chains;
}

function parseChain(value: unknown, at: string): ChainConfig {
  if (!isObject(value)) throw invalid(`${at} must be an object.`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown) throw invalid(`${at}.${unknown} is not a known field; those are ${known.join(", ")}.`);
  const expect = <T>(key: string, ok: (field: unknown) => field is T, what: string): T => {
    const field = value[key];
    if (!ok(field)) throw invalid(`${at}.${key} must be ${what}.`);
    return field;
  };
  const optional = <T>(key: string, ok: (field: unknown) => field is T, what: string): T | undefined =>
    value[key] === undefined ? undefined : expect(key, ok, what);
  const chainId = expect("chainId", isChainId, 'a decimal string such as "43114"');
  const rpcUrls = expect("rpcUrls", isUrls, "a list of at least one http or https URL");
  if (new Set(rpcUrls.map((url) => new URL(url).href)).size < rpcUrls.length)
    throw invalid(`${at}.rpcUrls must have each URL once: a node that is there twice would agree with itself.`);
  const wsUrl = optional("wsUrl", isUrlOf("ws:", "wss:"), "a ws or wss URL");
  const startBlock = optional("startBlock", isCount, "a block number");
  const patienceMs = optional("patienceMs", isPatience, "a number of milliseconds from 1000 to 86400000");
  const checks = optional("checks", isChecks, `an object with "on" or "off" for ${checkNames.join(", ")}`);
  if (checks?.parentHash === "off")
    throw invalid(`${at}.checks.parentHash cannot be "off", since a chain is followed by it.`);
  return {
    chainId,
    name: optional("name", isText, "a text that is not empty") ?? `Chain ${chainId}`,
    rpcUrls,
    traces: optional("traces", isBoolean, "true or false") ?? false,
    finality:
      optional("finality", isFinality, '"latest", "finalized" or {"confirmations": n} with n from 1 to 10000') ??
      profileOf(chainId).finality,
    pollMs: optional("pollMs", isPeriod, "a number of milliseconds from 10 to 600000") ?? 1_000,
    ...(wsUrl !== undefined && { wsUrl }),
    ...(patienceMs !== undefined && { patienceMs }),
    ...(startBlock !== undefined && { startBlock }),
    ...(checks !== undefined && { checks }),
  };
}

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isChainId = (value: unknown): value is string => typeof value === "string" && /^[1-9][0-9]{0,18}$/.test(value);
const isPeriod = (value: unknown): value is number => isCount(value) && value >= 10 && value <= 600_000;
const isPatience = (value: unknown): value is number => isCount(value) && value >= 1_000 && value <= 86_400_000;

function isUrlOf(...protocols: string[]): (value: unknown) => value is string {
  return (value): value is string =>
    typeof value === "string" && URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

function isUrls(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every(isUrlOf("http:", "https:"));
}

function isFinality(value: unknown): value is Finality {
  if (value === "latest" || value === "finalized") return true;
  if (!isObject(value) || Object.keys(value).join() !== "confirmations") return false;
  const { confirmations } = value;
  return isCount(confirmations) && confirmations >= 1 && confirmations <= 10_000;
}

function isChecks(value: unknown): value is NonNullable<ChainConfig["checks"]> {
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([key, set]) => checkNames.some((name) => name === key) && (set === "on" || set === "off"),
    )
  );
}
